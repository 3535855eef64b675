package scan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCallStates checks which calls of a body count as conditional (?) and which as nested ('), in each language read by tokens.
func TestCallStates(t *testing.T) {
	for _, test := range []struct {
		path, source string
		want         []string
	}{
		{"A.java", `class A { int m(int x) {
			if (a()) b(); else c();
			for (int i : d()) { e(); }
			switch (f()) { case 1 -> g(); default: h(); }
			list.forEach(v -> i(v)); run(() -> { j(); });
			new Thread(new Runnable() { public void run() { k(); } }).start();
			int y = l() && m2() ? n() : o();
			try { p(); return q(); } catch (E e) { r(); } finally { s(); }
			t(); } }`,
			[]string{"A.m a", "A.m b?", "A.m c?", "A.m d", "A.m e?", "A.m f", "A.m g?", "A.m h?", "A.m forEach", "A.m i'", "A.m run", "A.m j'",
				"A.m Thread", "A.m Runnable", "A.m k'", "A.m start", "A.m l", "A.m m2?", "A.m n?", "A.m o?", "A.m p", "A.m q", "A.m r?", "A.m s?", "A.m t?"}},
		{"A.cs", `class A { void M() {
			var x = a() ?? b(); int? n = c();
			list.Add(v => d(v)); Run(delegate { e(); });
			void Local() { f(); }
			var y = g() switch { 1 => h(), _ => i() };
			foreach (var z in j()) k();
			Local(new P() { Q = l() }); } }`,
			[]string{"A.M a", "A.M b?", "A.M c", "A.M Add", "A.M d'", "A.M Run", "A.M e'", "A.M f'", "A.M g", "A.M h?", "A.M i?", "A.M j", "A.M k?",
				"A.M Local", "A.M P", "A.M l"}},
		{"a.kt", "fun m() {\n  val x = a() ?: b()\n  c()\n  if (d()) e() else f()\n  when (g()) { 1 -> h() }\n  list.forEach { i() }\n  run { j() }\n" +
			"  listen { k() }\n  fun inner() { l() }\n  y?.let { n() }\n  o()\n}",
			[]string{"m a", "m b?", "m c", "m d", "m e?", "m f?", "m g", "m h?", "m i?", "m j", "m k'", "m l'", "m n?", "m o"}},
		{"a.rs", `fn m() { if a() && b() { c(); } for x in d() { e(); } match f() { 1 => g(), _ => h() }
			v.iter().map(|x| i(x)); let k = move || { j() }; spawn(async move { l() }); fn inner() { n() } let Some(o) = p() else { q() }; r(a | b()); s() }`,
			[]string{"m a", "m b?", "m c?", "m d", "m e?", "m f", "m g?", "m h?", "m iter", "m map", "m i'", "m j'", "m spawn", "m l'", "m n'", "m p", "m q?", "m r", "m b", "m s"}},
		{"a.c", `int m(void) { if (a()) return b(); else if (c()) d(); while (e()) f(); x ? g() : h(); i(); goto done; j(); done: return k(); }`,
			[]string{"m a", "m b?", "m c?", "m d?", "m e", "m f?", "m g?", "m h?", "m i", "m j?", "m k?"}},
		{"a.cpp", `void m() { run([&](int x) { a(x); }); auto f = [] { b(); }; c(v[d()]); if constexpr (e()) { g(); } }`,
			[]string{"m run", "m a'", "m b'", "m c", "m d", "m e", "m g?"}},
		{"a.php", `<?php function m() { if (a()): b(); endif; c(); $f = function () use ($x) { d(); }; $g = fn ($v) => e($v); $h = i() ?: j(); foreach (k() as $v) { l(); } n(); }`,
			[]string{"m a", "m b?", "m c", "m d'", "m e'", "m i", "m j?", "m k", "m l?", "m n"}},
		{"a.rb", "def m\n  a()\n  b() if c()\n  if d()\n    e()\n  else\n    f()\n  end\n  list.each do |x|\n    g(x)\n  end\n  on(1) { h() }\n  k() || l()\n  begin\n    n()\n  rescue X\n    o()\n  end\n  q()\nend",
			[]string{"m a", "m b?", "m c", "m d", "m e?", "m f?", "m each", "m g?", "m on", "m h'", "m k", "m l?", "m n", "m o?", "m q"}},
	} {
		if diff := cmp.Diff(test.want, callStates(Source(test.path, []byte(test.source)))); diff != "" {
			t.Errorf("%s: %s", test.path, diff)
		}
	}
}

func TestFieldsAssigned(t *testing.T) {
	for _, test := range []struct{ path, source string }{
		{"A.java", "class A { void m() { this.a = 1; this.b[2] += 3; if (this.c == 4) {} this.d.e(); } }"},
		{"a.rs", "impl A { fn m(&mut self) { self.a = 1; self.b[2] += 3; if self.c == 4 {} self.d.e(); } }"},
		{"a.cpp", "class A { void m() { this->a = 1; this->b[2] += 3; if (this->c == 4) {} this->d.e(); } };"},
		{"a.php", "<?php class A { function m() { $this->a = 1; $this->b[2] .= 3; if ($this->c == 4) {} $this->d->e(); } }"},
		{"a.rb", "class A\n  def m\n    @a = 1\n    @b[2] += 3\n    x if @c == 4\n    @d.e()\n  end\nend"},
		{"a.py", "class A:\n    def m(self):\n        self.a = 1\n        self.b[2] += 3\n        if self.c == 4:\n            self.d.e()\n"},
	} {
		for _, d := range Source(test.path, []byte(test.source)).Decls {
			if d.Name == "m" {
				if diff := cmp.Diff([]string{"a", "b"}, d.Assigns); diff != "" {
					t.Errorf("%s: %s", test.path, diff)
				}
			}
		}
	}
}
