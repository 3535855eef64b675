package extractive

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// implementations are the types that name s as a base, or in Go have all its methods. A base of the same name elsewhere makes the
// answer uncertain, and then there is none.
func (a *atlas) implementations(s symbol) []symbol {
	if s.file.Language == "Go" {
		return a.calls.implementers(s)
	}
	if len(a.basesNamed(s.decl.Name)) != 1 || s.file.Language == "C" || s.file.Language == "Rust" && s.decl.Kind != scan.KindTrait {
		return nil
	}
	a.filled.basesOnce.Do(a.indexBases)
	var out []symbol
	for _, t := range a.filled.bases[s.decl.Name] {
		if (t.file.Language == s.file.Language || sameFamily(t.file.Language, s.file.Language)) && a.means(t.file, s) {
			out = append(out, t)
		}
	}
	return out
}

// means reports whether the name of a type means that type in a file: where the file imports the name from elsewhere, it does not.
func (a *atlas) means(f *scan.File, s symbol) bool {
	if f == s.file {
		return true
	}
	switch f.Language {
	case "PHP", "Java", "Kotlin":
		for _, imp := range f.Imports {
			full := strings.Trim(imp.Path, "\\")
			i := strings.LastIndexAny(full, ".\\")
			if full[i+1:] == s.decl.Name && (imp.Name == "" || imp.Name == s.decl.Name) {
				return i >= 0 && full[:i] == strings.Trim(s.file.Package, "\\")
			}
		}
		return f.Package == s.file.Package || strings.Contains(wildcards(f), s.file.Package+"\n")
	case "Python", "JavaScript", "TypeScript":
		where, known := a.calls.imports[f][s.decl.Name]
		if !known {
			return !slices.ContainsFunc(f.Imports, func(imp scan.Import) bool {
				return imp.Name == s.decl.Name || strings.HasSuffix(imp.Path, "."+s.decl.Name)
			})
		}
		module, _, _ := strings.Cut(where, "\x00")
		base := path.Base(module)
		return module == s.file.Path || strings.HasPrefix(base, "__init__.") || strings.HasPrefix(base, "index.") // which pass names on
	}
	return true
}

// wildcards are the packages of which a file imports every name, one a line.
func wildcards(f *scan.File) string {
	var b strings.Builder
	for _, imp := range f.Imports {
		if pkg, ok := strings.CutSuffix(imp.Path, ".*"); ok {
			b.WriteString(pkg + "\n")
		}
	}
	return b.String()
}

// indexBases lists the types of the product by the names of their bases, and the call sites of registering functions.
func (a *atlas) indexBases() {
	bases, sites := make(map[string][]symbol), make(map[string][]survey.Ref)
	a.filled.bases, a.filled.sites = bases, sites
	for _, name := range a.paths {
		f := a.repo.Files[name]
		if f.IsTest || f.Generated || a.component(name) == nil || supports(name) || aside(path.Dir(name)) {
			continue
		}
		for i := range f.Decls {
			d := &f.Decls[i]
			if !typeKind(d.Kind) || d.Start <= 0 {
				continue
			}
			for _, b := range d.Bases {
				key := baseName(b)
				if all := bases[key]; len(all) == 0 || all[len(all)-1].decl != d {
					bases[key] = append(all, symbol{d, f})
				}
			}
		}
		for _, c := range f.Calls {
			if all := sites[c.Name]; registering(c.Name) && (len(all) == 0 || all[len(all)-1].Path != name) {
				sites[c.Name] = append(all, survey.Ref{Path: name, Start: c.Line, End: c.Line})
			}
		}
	}
}

// basesNamed are the types of a name in the whole repository, tests excluded.
func (a *atlas) basesNamed(name string) []symbol {
	a.filled.typesOnce.Do(a.indexTypes)
	return a.filled.types[name]
}

func (a *atlas) indexTypes() {
	a.filled.types = make(map[string][]symbol)
	for _, p := range a.paths {
		f := a.repo.Files[p]
		if f.IsTest || f.Generated {
			continue
		}
		for i := range f.Decls {
			if d := &f.Decls[i]; typeKind(d.Kind) {
				a.filled.types[d.Name] = append(a.filled.types[d.Name], symbol{d, f})
			}
		}
	}
}

// baseName is the last name of a written base, without package, type arguments and reference marks.
func baseName(s string) string {
	if i := strings.IndexAny(s, "<[("); i >= 0 {
		s = s[:i]
	}
	s = strings.TrimLeft(s, "*&\\ ")
	return s[strings.LastIndexAny(s, ".:\\")+1:]
}

func sameFamily(x, y string) bool {
	family := map[string]string{"TypeScript": "js", "JavaScript": "js", "C": "c", "C++": "c", "Java": "jvm", "Kotlin": "jvm"}
	return family[x] != "" && family[x] == family[y]
}

// implementers are the Go types that declare, in one package, every method of an interface of at least two methods, with the
// same types of parameters and results. A generic interface has no certain answer.
func (g *callGraph) implementers(s symbol) []symbol {
	if s.decl.Kind != scan.KindInterface {
		return nil
	}
	var want []*scan.Decl
	for i := range s.file.Decls {
		if d := &s.file.Decls[i]; d.Parent == s.decl.Name && d.Start >= s.decl.Start && d.Start <= s.decl.End && functionKind(d.Kind) {
			want = append(want, d)
		}
	}
	said := slices.ContainsFunc(want, func(m *scan.Decl) bool { return !common[m.Name] })
	if len(want) < 2 || !said || len(s.decl.Bases) > 0 || strings.Contains(s.decl.Signature, "[") {
		return nil
	}
	shapes := make(map[string]string)
	for _, m := range want {
		shapes[m.Name] = shape(m)
	}
	var out []symbol
	for _, dir := range g.dirs() {
		for _, t := range g.goTypes[dir] {
			if g.atlas.component(t.file.Path) == nil || supports(t.file.Path) {
				continue
			}
			if t.decl.Kind == scan.KindInterface || t.decl == s.decl {
				continue
			}
			lacks := func(m *scan.Decl) bool {
				got := g.methods[dir][t.decl.Name+"."+m.Name]
				return len(got) == 0 || shapes[m.Name] == "" || shape(got[0].decl) != shapes[m.Name]
			}
			if !slices.ContainsFunc(want, lacks) {
				out = append(out, t)
			}
		}
	}
	return out
}

// common are methods that unlike things have; an interface of nothing else is no contract that one more type would follow.
var common = map[string]bool{"String": true, "Type": true, "Error": true, "Len": true, "Less": true, "Swap": true, "Close": true, "Name": true, "Write": true, "Read": true, "Next": true, "Err": true, "Unwrap": true}

// shape is the types of a Go function's parameters and results without names and package qualifiers: "(Context,int)(error)". It is
// empty where the signature cannot be read, as when it is too long to be kept whole.
func shape(d *scan.Decl) string {
	sig := strings.TrimPrefix(d.Signature, "func ")
	if strings.HasPrefix(sig, "(") {
		_, sig, _ = strings.Cut(sig, ") ")
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc "+sig, parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return ""
	}
	fn, ok := f.Decls[0].(*ast.FuncDecl)
	if !ok || fn.Type.TypeParams != nil {
		return ""
	}
	return "(" + fieldTypes(fn.Type.Params) + ")(" + fieldTypes(fn.Type.Results) + ")"
}

// fieldTypes lists the types of parameters or results, one for each name.
func fieldTypes(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var out []string
	for _, f := range list.List {
		ast.Inspect(f.Type, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				sel.X = ast.NewIdent("_") // the package may be called differently in another file
			}
			return true
		})
		t := strings.ReplaceAll(types.ExprString(f.Type), "_.", "")
		for range max(1, len(f.Names)) {
			out = append(out, t)
		}
	}
	return strings.Join(out, ",")
}

// registrations are the call sites of a registering function in other files of the repository, one for each file, by path. The name has
// to be declared only once.
func (a *atlas) registrations(s symbol) []survey.Ref {
	if len(a.calls.named[s.decl.Name]) != 1 {
		return nil
	}
	a.filled.basesOnce.Do(a.indexBases)
	var out []survey.Ref
	for _, r := range a.filled.sites[s.decl.Name] {
		if f := a.repo.Files[r.Path]; f != s.file && f.Language == s.file.Language {
			out = append(out, r)
		}
	}
	return out
}
