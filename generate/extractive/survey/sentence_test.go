package survey

import "testing"

func TestFirstSentence(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"two", "Cobra is a library. It is fast.", "Cobra is a library."},
		{"abbreviation", "Reads formats, e.g. JSON and YAML, into nodes. More.", "Reads formats, e.g. JSON and YAML, into nodes."},
		{"initial", "Written by J. Smith for the lab. Then more.", "Written by J. Smith for the lab."},
		{"dotted name", "Works with Node.js and go.mod files. Next.", "Works with Node.js and go.mod files."},
		{"version", "Needs at least version 1.2 of it. Next.", "Needs at least version 1.2 of it."},
		{"parenthesis", "Sends mail (SMTP. Yes, really.) to people. Next.", "Sends mail (SMTP. Yes, really.) to people."},
		{"lower-case name", "Searches files for a regex pattern while respecting rules. ripgrep is fast.", "Searches files for a regex pattern while respecting rules."},
		{"no stop", "A small tool for tests", "A small tool for tests"},
		{"lead-in", "The following formats are supported:", ""},
		{"licence", "Copyright 2020 The Authors. All rights reserved.", ""},
		{"imperative", "Visit example.org for the full documentation.", ""},
		{"question", "So what did that code do?", ""},
		{"fragment", "Internals", ""},
		{"chinese", "这是一个用于测试的工具库。第二句。", "这是一个用于测试的工具库。"},
		{"paragraph", "One thing\nand another\n\nSecond paragraph here.", "One thing and another"},
		{"control", "Reads\x00 a \u202efile\x1b[0m of bytes.", "Reads a file[0m of bytes."},
	}
	for _, tt := range tests {
		if got := firstSentence(tt.text); got != tt.want {
			t.Errorf("%s: firstSentence(%q) = %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

func TestPurposeSentence(t *testing.T) {
	text := "Browsers differ in what they support. This plugin provides support for old ones."
	if got, want := purposeSentence(text), "This plugin provides support for old ones."; got != want {
		t.Errorf("purposeSentence = %q, want %q", got, want)
	}
	text = "Sinatra is a language for quickly creating web applications with minimal effort:"
	if got, want := purposeSentence(text, "sinatra"), "Sinatra is a language for quickly creating web applications with minimal effort."; got != want {
		t.Errorf("purposeSentence with a lead-in = %q, want %q", got, want)
	}
	text = "Nobody likes waiting. Zip is a build tool. It is fast."
	if got, want := purposeSentence(text, "zip"), "Zip is a build tool."; got != want {
		t.Errorf("purposeSentence by name = %q, want %q", got, want)
	}
}

func TestPlain(t *testing.T) {
	tests := []struct{ in, want string }{
		{"A [link](http://x/y_(z)) and `code` and **bold** text", "A link and code and bold text"},
		{"[![badge](a.svg)](b) Real text", "Real text"},
		{"<p>Hello <b>you</b> &amp; me</p>", "Hello you & me"},
		{"See :class:`Flask` and :ref:`the docs <docs>` or `site <http://x>`_.", "See Flask and the docs or site."},
		{"``flask[async]`` stays", "flask[async] stays"},
		{"snake_case_name and *emphasis* stay", "snake_case_name and emphasis stay"},
		{"<!-- hidden -->Shown", "Shown"},
	}
	for _, tt := range tests {
		if got := plain(tt.in); got != tt.want {
			t.Errorf("plain(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestDocSentence(t *testing.T) {
	doc := "Copyright 2021 A. All rights reserved.\n\nTitle\n=====\nPackage x reads files.  It is quick."
	if got, want := docSentence(doc), "Package x reads files."; got != want {
		t.Errorf("docSentence = %q, want %q", got, want)
	}
}

func TestCut(t *testing.T) {
	if got, want := cut("one two three four", 14), "one two…"; got != want {
		t.Errorf("cut = %q, want %q", got, want)
	}
	if got, want := cut("äöüäöü", 9), "äöü…"; got != want {
		t.Errorf("cut = %q, want %q", got, want)
	}
}

func FuzzSentence(f *testing.F) {
	f.Add("A [b](c). D `e` **f**. <g>")
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{firstSentence(s), docSentence(s), purposeSentence(plain(s), "x")} {
			if len(got) > maxSentence {
				t.Fatalf("sentence of %d bytes", len(got))
			}
			for _, r := range got {
				if hidden(r) {
					t.Fatalf("hidden character %q in %q", r, got)
				}
			}
		}
	})
}
