package scan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJavaScriptDeclarations(t *testing.T) {
	const src = `/**
 * @fileoverview Ships parcels.
 */

/** Most that fits. */
export const MAX = 3
let open = "x"

/**
 * Loads it.
 * @param {string} a
 * @deprecated use push
 */
function load(a, b = {}) {
  return a
}

// A box.
class Box extends Base {
  #secret = 1
  size = 2
  grow = () => {
    this.size++
  }
  static make(n) { return new Box(n) }
}

class ShipError extends Error {}

const api = {
  list() {},
}

export { load, Box as Crate }
module.exports.late = (x) => x
`
	want := []Decl{
		{Name: "MAX", Kind: KindConstant, Exported: true, Start: 6, End: 6, Doc: "Most that fits.", DocStart: 5, DocEnd: 5, Signature: "export const MAX = 3", Value: "3"},
		{Name: "open", Kind: KindVariable, Start: 7, End: 7, Signature: `let open = "x"`, Value: `"x"`},
		{Name: "load", Kind: KindFunction, Exported: true, Start: 14, End: 16, Doc: "Loads it.", DocStart: 9, DocEnd: 13, Signature: "function load(a, b = {})", Deprecated: true},
		{Name: "Box", Kind: KindClass, Bases: []string{"Base"}, Exported: true, Start: 19, End: 26, Doc: "A box.", DocStart: 18, DocEnd: 18, Signature: "class Box extends Base"},
		{Name: "#secret", Kind: KindField, Parent: "Box", Start: 20, End: 20, Signature: "#secret = 1", Value: "1"},
		{Name: "size", Kind: KindField, Parent: "Box", Exported: true, Start: 21, End: 21, Signature: "size = 2", Value: "2"},
		{Name: "grow", Kind: KindMethod, Parent: "Box", Exported: true, Start: 22, End: 24, Signature: "grow = ()", Assigns: []string{"size"}},
		{Name: "make", Kind: KindMethod, Parent: "Box", Exported: true, Start: 25, End: 25, Signature: "static make(n)"},
		{Name: "ShipError", Kind: KindClass, Bases: []string{"Error"}, Start: 28, End: 28, Signature: "class ShipError extends Error"},
		{Name: "api", Kind: KindConstant, Start: 30, End: 32, Signature: "const api"},
		{Name: "list", Kind: KindMethod, Parent: "api", Start: 31, End: 31, Signature: "list()"},
		{Name: "late", Kind: KindFunction, Exported: true, Start: 35, End: 35, Signature: "module.exports.late = (x)"},
	}
	f := Source("a.js", []byte(src))
	if diff := cmp.Diff(want, f.Decls); diff != "" {
		t.Error(diff)
	}
	if f.Doc != "Ships parcels." || f.DocStart != 1 || f.DocEnd != 3 {
		t.Errorf("doc = %q, lines %d to %d", f.Doc, f.DocStart, f.DocEnd)
	}
	if diff := cmp.Diff([]Failure{{"ShipError", "", 28, 28}}, f.Failures); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Mark{{"DEPRECATED", "use push", 14}}, f.Marks); diff != "" {
		t.Error(diff)
	}
}

func TestTypeScriptDeclarations(t *testing.T) {
	const src = `export interface Store<T> extends Base<T>, Other {
  get(id: string): { value: T } | undefined
  name: string
}
export type ID = string | { a: number }
export enum Color { Red = 'r', Blue }
export function f(a: string): void
export function f(a: any) { return }
export abstract class Repo<T extends object> extends Core.Base<T> implements Store<T> {
  constructor(private db: Db) { super() }
  private async load(): Promise<Map<string, T>> { return this.db.get() }
  abstract find(id: ID): T
}
namespace N { export const v: Array<{ a: 1 }> = [] }
`
	want := []Decl{
		{Name: "Store", Kind: KindInterface, Bases: []string{"Base", "Other"}, Exported: true, Start: 1, End: 4, Signature: "export interface Store<T> extends Base<T>, Other"},
		{Name: "get", Kind: KindMethod, Parent: "Store", Exported: true, Start: 2, End: 2, Signature: "get(id: string): { value: T } | undefined"},
		{Name: "name", Kind: KindField, Parent: "Store", Exported: true, Start: 3, End: 3, Signature: "name: string"},
		{Name: "ID", Kind: KindType, Exported: true, Start: 5, End: 5, Signature: "export type ID = string | { a: number }"},
		{Name: "Color", Kind: KindEnum, Exported: true, Start: 6, End: 6, Signature: "export enum Color"},
		{Name: "Red", Kind: KindConstant, Parent: "Color", Exported: true, Start: 6, End: 6, Signature: "Red = 'r'", Value: "'r'"},
		{Name: "Blue", Kind: KindConstant, Parent: "Color", Exported: true, Start: 6, End: 6, Signature: "Blue"},
		{Name: "f", Kind: KindFunction, Exported: true, Start: 7, End: 7, Signature: "export function f(a: string): void"},
		{Name: "f", Kind: KindFunction, Exported: true, Start: 8, End: 8, Signature: "export function f(a: any)"},
		{Name: "Repo", Kind: KindClass, Bases: []string{"Core.Base", "Store"}, Exported: true, Start: 9, End: 13, Signature: "export abstract class Repo<T extends object> extends Core.Base<T> implements Store<T>"},
		{Name: "constructor", Kind: KindMethod, Parent: "Repo", Exported: true, Start: 10, End: 10, Signature: "constructor(private db: Db)"},
		{Name: "load", Kind: KindMethod, Parent: "Repo", Start: 11, End: 11, Signature: "private async load(): Promise<Map<string, T>>"},
		{Name: "find", Kind: KindMethod, Parent: "Repo", Exported: true, Start: 12, End: 12, Signature: "abstract find(id: ID): T"},
		{Name: "N", Kind: KindModule, Start: 14, End: 14, Signature: "namespace N"},
		{Name: "v", Kind: KindConstant, Parent: "N", Exported: true, Start: 14, End: 14, Signature: "export const v: Array<{ a: 1 }> = []"},
	}
	if diff := cmp.Diff(want, Source("a.ts", []byte(src)).Decls); diff != "" {
		t.Error(diff)
	}
}

func TestJavaScriptModule(t *testing.T) {
	const src = `#!/usr/bin/env node
import def, { a as b, type C } from './mod'
import * as ns from "pkg"
import './effect'
const { d, e: f } = require('g')
const h = require("h")
export * from './all'
const lazy = () => import('./lazy')
const port = process.env.APP_PORT || 8080
const host = process.env['APP_HOST'] ?? "localhost"
const { APP_MODE, APP_LEVEL = "info" } = process.env
process.env.APP_SET = "1"
const url = import.meta.env.VITE_URL

async function run(x) {
  await ns.go(x).then(y => done(y))
  if (x === 2) process.exit(3)
}
if (require.main === module) {
  run()
}
`
	f := Source("bin/a.js", []byte(src))
	imports := []Import{
		{Path: "./mod", Name: "def", Line: 2}, {Path: "./mod", Name: "b", Line: 2}, {Path: "./mod", Name: "C", Line: 2, TypeOnly: true}, {Path: "pkg", Name: "* as ns", Line: 3}, {Path: "./effect", Line: 4}, {Path: "g", Name: "d", Line: 5}, {Path: "g", Name: "f", Line: 5},
		{Path: "h", Name: "h", Line: 6}, {Path: "./all", Line: 7}, {Path: "./lazy", Line: 8},
	}
	if diff := cmp.Diff(imports, f.Imports); diff != "" {
		t.Error(diff)
	}
	env := []EnvRead{
		{Name: "APP_PORT", Default: "8080", Line: 9}, {Name: "APP_HOST", Default: "localhost", Line: 10}, {Name: "APP_MODE", Default: "", Line: 11}, {Name: "APP_LEVEL", Default: "info", Line: 11}, {Name: "VITE_URL", Default: "", Line: 13},
	}
	if diff := cmp.Diff(env, f.Env); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Entry{{"script", "a.js", 1, 21}, {"script", "a.js", 19, 21}}, f.Entries); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Failure{{"exit 3", "", 17, 17}}, f.Failures); diff != "" {
		t.Error(diff)
	}
	var calls []Call
	for _, c := range f.Calls {
		if c.Caller == "run" {
			calls = append(calls, c)
		}
	}
	want := []Call{{Caller: "run", Qualifier: "ns", Name: "go", Line: 16}, {Caller: "run", Qualifier: "()", Name: "then", Line: 16}, {Caller: "run", Name: "done", Line: 16, Nested: true}, {Caller: "run", Qualifier: "process", Name: "exit", Line: 17, Branch: true}}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Error(diff)
	}
}

func TestJavaScriptRoutes(t *testing.T) {
	const src = `const express = require('express')
const app = express()
app.get('/', home)
router.post("/pets/:id", auth, (req, res) => {})
app.route('/both').get(show).put(pets.update)
axios.get('/client', handler)
app.get('env')
app.listen(3000)
`
	f := Source("a.js", []byte(src))
	want := []Route{{"GET", "/", "home", 3}, {"POST", "/pets/:id", "", 4}, {"GET", "/both", "show", 5}, {"PUT", "/both", "pets.update", 5}}
	if diff := cmp.Diff(want, f.Routes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Entry{{"server", "app", 8, 8}}, f.Entries); diff != "" {
		t.Error(diff)
	}
	const nest = `@Controller('cats')
export class Cats {
  @Get(':id')
  one(@Param('id') id: string) { return this.cats.find(id) }
  @Post()
  make() {}
}
`
	routes := []Route{{"GET", "/cats/:id", "Cats.one", 3}, {"POST", "/cats", "Cats.make", 5}}
	if diff := cmp.Diff(routes, Source("a.ts", []byte(nest)).Routes); diff != "" {
		t.Error(diff)
	}
}

func TestJavaScriptCommandLine(t *testing.T) {
	const src = `import { program } from 'commander'
program
  .option('-p, --port <n>', 'where', '80')
  .option('--no-color', 'plain')
program.command('serve <dir>').description('Serve it').action(run)
`
	f := Source("a.mjs", []byte(src))
	if diff := cmp.Diff([]Flag{{Name: "port", Default: "80", Usage: "where", Line: 3}, {Name: "color", Default: "", Usage: "plain", Line: 4}}, f.Flags); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Command{{"serve", "Serve it", 5}}, f.Commands); diff != "" {
		t.Error(diff)
	}
	const yargs = `const y = require('yargs')
y.command('push', 'Push it', b => b.option('to', { default: 'x', describe: 'target' }))
`
	f = Source("a.js", []byte(yargs))
	if diff := cmp.Diff([]Flag{{Name: "to", Default: "x", Usage: "target", Line: 2}}, f.Flags); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Command{{"push", "Push it", 2}}, f.Commands); diff != "" {
		t.Error(diff)
	}
}

func TestJavaScriptTests(t *testing.T) {
	const src = `describe('box', () => {
  it('is empty', () => {
    expect(1).toBe(1)
  })
  describe("full", function () {
    it.each([1, 2])('holds %d', n => {})
  })
})
test.only(` + "`alone`" + `, () => {})
rx.test('no')
`
	want := []Test{{"box > is empty", 2, 4}, {"box > full > holds %d", 6, 6}, {"alone", 9, 9}}
	f := Source("a.test.js", []byte(src))
	if diff := cmp.Diff(want, f.Tests); diff != "" || !f.IsTest {
		t.Error(diff)
	}
}

func TestJavaScriptRegexpOrDivision(t *testing.T) {
	for src, code := range map[string]string{
		"a = b / c / d":          "a = b / c / d",
		"a = /b{/g.test(c)":      "a = /  /g.test(c)",
		"return /[/{]/":          "return /    /",
		"f(/'/, x) // y":         "f(/ /, x)     ",
		"a[1] / 2 / '{'":         "a[1] / 2 / ' '",
		"x.return / 2 / {":       "x.return / 2 / {",
		"i++ / 2 / {":            "i++ / 2 / {",
		"a / b\n/c{/.d":          "a / b\n/c{/.d",
		"`${a / b / c}` + '/{/'": "` {a / b / c}` + '   '",
	} {
		if got := string(newText("a.js", []byte(src), &javascriptSyntax).code); got != code {
			t.Errorf("code of %q = %q, want %q", src, got, code)
		}
	}
}

func TestJSX(t *testing.T) {
	const src = `const A = () => <p>It's {b ? <B x="}" /> : '{'} fine</p>
const C = <T,>(x: T) => x
const D = a < b && c > d
function E() { return <><Foo.Bar /></> }
`
	f := Source("a.tsx", []byte(src))
	var names []string
	for _, d := range f.Decls {
		names = append(names, d.Name)
	}
	if diff := cmp.Diff([]string{"A", "C", "D", "E"}, names); diff != "" {
		t.Error(diff)
	}
	want := []Call{{Caller: "A", Name: "B", Line: 1, Branch: true}, {Caller: "E", Qualifier: "Foo", Name: "Bar", Line: 4}}
	if diff := cmp.Diff(want, f.Calls); diff != "" {
		t.Error(diff)
	}
}

func TestComponents(t *testing.T) {
	const vue = `<template>
  <p>function no() {}</p>
</template>
<script setup lang="ts">
import X from './x.vue'
function yes(a: string): void {}
</script>
`
	f := Source("A.vue", []byte(vue))
	if len(f.Decls) != 1 || f.Decls[0].Name != "yes" || f.Decls[0].Start != 6 || f.Language != "Vue" {
		t.Errorf("declarations = %+v", f.Decls)
	}
	if diff := cmp.Diff([]Import{{Path: "./x.vue", Name: "X", Line: 5}}, f.Imports); diff != "" {
		t.Error(diff)
	}
	f = Source("a.astro", []byte("---\nconst a = 1\n---\n<p>const b = 2</p>\n"))
	if len(f.Decls) != 1 || f.Decls[0].Name != "a" {
		t.Errorf("declarations = %+v", f.Decls)
	}
}

func TestScriptOptionsOfCommands(t *testing.T) {
	const src = `import { cac } from 'cac'
const cli = cac('tool')
cli.option('--quiet', 'say less')
cli.command('[root]', 'start').alias('serve').option('--port <port>', 'where')
cli
  .command('build [root]', 'build ' + 'it')
  .option('--minify [how]', "how, " + 'if at all')
  .action(() => { cli.option('--no', other) })
`
	f := Source("cli.ts", []byte(src))
	want := []Flag{
		{Name: "quiet", Usage: "say less", Line: 3}, {Name: "port", Usage: "where", Line: 4}, {Name: "minify", Usage: "how, if at all", Line: 7, Command: "build"},
		{Name: "no", Line: 8},
	}
	if diff := cmp.Diff(want, f.Flags); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Command{{"[root]", "start", 4}, {"build", "build it", 6}}, f.Commands); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}
