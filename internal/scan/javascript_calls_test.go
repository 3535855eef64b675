package scan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJavaScriptCallStates(t *testing.T) {
	const src = `
export async function serve(a) {
  const c = await resolve(a)
  if (check(c)) {
    one()
  } else if (other()) two()
  else {
    three()
  }
  for (const x of list(c)) each(x)
  const server = {
    start: begin(),
    restart() { reload() },
    async load(url: string): Promise<void> {
      return ssrLoad(url)
    },
    get x() { return y() },
    [key]() { z() },
    close: async () => { await stop() },
  }
  function local() { inner() }
  const f = (x) => deep(x)
  list.map((v) => apply(v))
  a && maybe()
  a ? left() : right()
  a?.always()
  const t = tag ?? fallback()
  try { attempt() } catch { caught() } finally { last() }
  switch (kind(a)) {
    case k(): hit()
  }
  class Local extends mixin(Base) { m() { n() } }
  setup({ hook() { h() } })
  done()
  return server
}
const C = memo(function C() { use() })
`
	want := []string{
		"serve resolve", "serve check", "serve one?", "serve other?", "serve two?", "serve three?", "serve list", "serve each?",
		"serve begin", "serve reload'", "serve ssrLoad'", "serve y'", "serve z'", "serve stop'", "serve inner'", "serve deep'", "serve map",
		"serve apply'", "serve maybe?", "serve left?", "serve right?", "serve always", "serve fallback?", "serve attempt", "serve caught?",
		"serve last?", "serve kind", "serve k?", "serve hit?", "serve mixin", "serve n'", "serve setup", "serve h'", "serve done", "C use",
	}
	if diff := cmp.Diff(want, callStates(Source("a.ts", []byte(src)))); diff != "" {
		t.Error(diff)
	}
}

func TestJavaScriptAssigns(t *testing.T) {
	const src = `class A {
  set(v) {
    this.a = v
    this.b.c[1] = 2
    if (this.d === 1 || this.e == 2) this.f ??= 3
    this.g++
    this.a += 1
    run(() => { this.h = 1 })
  }
}`
	f := Source("a.js", []byte(src))
	if diff := cmp.Diff([]string{"a", "b", "f", "g", "h"}, f.Decls[1].Assigns); diff != "" {
		t.Error(diff)
	}
}

func TestTypeScriptTypeImports(t *testing.T) {
	const src = `import type { A } from './a'
import { type B, c, type D as E } from './b'
import F, { type as g } from './c'
import type H from './h'
export type { I } from './i'
export type * from './j'
export * from './k'
`
	want := []Import{
		{Path: "./a", Name: "A", Line: 1, TypeOnly: true}, {Path: "./b", Name: "B", Line: 2, TypeOnly: true}, {Path: "./b", Name: "c", Line: 2},
		{Path: "./b", Name: "E", Line: 2, TypeOnly: true}, {Path: "./c", Name: "F", Line: 3}, {Path: "./c", Name: "g", Line: 3},
		{Path: "./h", Name: "H", Line: 4, TypeOnly: true}, {Path: "./i", Line: 5, TypeOnly: true}, {Path: "./j", Line: 6, TypeOnly: true},
		{Path: "./k", Line: 7},
	}
	if diff := cmp.Diff(want, Source("a.ts", []byte(src)).Imports); diff != "" {
		t.Error(diff)
	}
}
