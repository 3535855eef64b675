package scan

import (
	"go/ast"
	"go/token"
	"strings"
)

func (g *goFile) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		g.function(d)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				g.typeSpec(d, s)
			case *ast.ValueSpec:
				g.valueSpec(d, s)
			}
		}
	}
}

func (g *goFile) function(d *ast.FuncDecl) {
	to := d.Type.End()
	out := Decl{
		Name: d.Name.Name, Kind: KindFunction, Parent: receiver(d), Exported: d.Name.IsExported(),
		Start: g.line(d.Pos()), End: g.endLine(d.End()), Signature: g.source(d.Pos(), to),
	}
	if d.Recv != nil {
		out.Kind = KindMethod
		out.Exported = out.Exported && ast.IsExported(out.Parent)
	}
	g.setDoc(&out, d.Doc)
	g.Decls = append(g.Decls, out)
	if d.Recv != nil {
		g.methodDecls[d] = len(g.Decls) - 1
	}
	if d.Recv == nil && d.Name.Name == "main" && g.Package == "main" && !g.IsTest {
		g.Entries = append(g.Entries, Entry{Kind: "main", Name: "main", Line: out.Start, End: out.End})
	}
	if g.IsTest && d.Recv == nil && isTestName(d.Name.Name) {
		g.Tests = append(g.Tests, Test{Name: d.Name.Name, Line: out.Start, End: out.End})
	}
}

// receiver returns the name of the receiver type of a method, without pointer and type parameters.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	return typeName(d.Recv.List[0].Type)
}

// typeName returns the name of a named type, qualified where it is, without pointer and type arguments; "" for any other type.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.ParenExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			return x.Name + "." + e.Sel.Name
		}
	}
	return ""
}

// isTestName tells whether the go tool runs a function of this name.
func isTestName(name string) bool {
	for _, prefix := range []string{"Test", "Benchmark", "Example", "Fuzz"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			return name != "TestMain" && (rest == "" || !('a' <= rest[0] && rest[0] <= 'z'))
		}
	}
	return false
}

func (g *goFile) typeSpec(d *ast.GenDecl, s *ast.TypeSpec) {
	start := s.Pos()
	if !d.Lparen.IsValid() {
		start = d.Pos()
	}
	out := Decl{Name: s.Name.Name, Kind: KindType, Exported: s.Name.IsExported(), Start: g.line(start), End: g.endLine(s.End())}
	to := s.End()
	switch t := s.Type.(type) {
	case *ast.StructType:
		out.Kind = KindStruct
		out.Bases = embedded(t.Fields)
		out.Fields = t.Fields.NumFields()
		to = t.Struct + token.Pos(len("struct"))
	case *ast.InterfaceType:
		out.Kind = KindInterface
		out.Bases = embedded(t.Methods)
		to = t.Interface + token.Pos(len("interface"))
	}
	out.Signature = cut("type "+g.source(s.Pos(), to), maxSignature)
	g.setDoc(&out, s.Doc, soleDoc(d), s.Comment)
	g.Decls = append(g.Decls, out)
	switch t := s.Type.(type) {
	case *ast.StructType:
		g.fields(s.Name.Name, t.Fields)
	case *ast.InterfaceType:
		g.methods(s.Name.Name, t.Methods)
	}
}

// soleDoc returns the comment of a declaration that declares one thing; the comment of a group is about the group.
func soleDoc(d *ast.GenDecl) *ast.CommentGroup {
	if len(d.Specs) == 1 {
		return d.Doc
	}
	return nil
}

func embedded(fields *ast.FieldList) []string {
	var out []string
	if fields == nil {
		return nil
	}
	for _, f := range fields.List {
		if len(f.Names) == 0 {
			if name := typeName(f.Type); name != "" {
				out = append(out, name)
			}
		}
	}
	return out
}

func (g *goFile) fields(parent string, fields *ast.FieldList) {
	if fields == nil {
		return
	}
	for _, f := range fields.List {
		g.tag(f)
		for _, n := range f.Names {
			if !n.IsExported() {
				continue
			}
			out := Decl{
				Name: n.Name, Kind: KindField, Parent: parent, Exported: ast.IsExported(parent),
				Start: g.line(n.Pos()), End: g.endLine(f.End()), Signature: cut(n.Name+" "+g.source(f.Type.Pos(), f.End()), maxSignature),
			}
			g.setDoc(&out, f.Doc, f.Comment)
			g.Decls = append(g.Decls, out)
		}
	}
}

func (g *goFile) methods(parent string, methods *ast.FieldList) {
	if methods == nil {
		return
	}
	for _, m := range methods.List {
		if _, ok := m.Type.(*ast.FuncType); !ok {
			continue
		}
		for _, n := range m.Names {
			out := Decl{
				Name: n.Name, Kind: KindMethod, Parent: parent, Exported: n.IsExported() && ast.IsExported(parent),
				Start: g.line(n.Pos()), End: g.endLine(m.End()), Signature: g.source(n.Pos(), m.End()),
			}
			g.setDoc(&out, m.Doc, m.Comment)
			g.Decls = append(g.Decls, out)
		}
	}
}

func (g *goFile) valueSpec(d *ast.GenDecl, s *ast.ValueSpec) {
	kind, word := KindVariable, "var "
	if d.Tok == token.CONST {
		kind, word = KindConstant, "const "
	}
	start := s.Pos()
	if !d.Lparen.IsValid() {
		start = d.Pos()
	}
	for i, n := range s.Names {
		if n.Name == "_" {
			continue
		}
		out := Decl{
			Name: n.Name, Kind: kind, Exported: n.IsExported(),
			Start: g.line(start), End: g.endLine(s.End()), Signature: cut(word+g.source(n.Pos(), s.End()), maxSignature),
		}
		if i > 0 {
			out.Start = g.line(n.Pos())
		}
		if len(s.Values) == len(s.Names) {
			out.Value = g.literal(s.Values[i])
			g.errorValue(n.Name, s.Values[i], out)
		}
		g.setDoc(&out, s.Doc, soleDoc(d), s.Comment)
		g.Decls = append(g.Decls, out)
	}
}

// errorValue records a variable that holds an error made from a literal message.
func (g *goFile) errorValue(name string, value ast.Expr, d Decl) {
	call, ok := value.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	switch g.callee(call) {
	case "errors.New", "fmt.Errorf", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf":
		if text, ok := g.str(call.Args[0]); ok {
			g.Failures = append(g.Failures, Failure{Name: name, Text: cut(text, maxMark), Line: d.Start, End: d.End})
		}
	}
}

// errorTypes records the types that are errors: by name, or because the file gives them an Error method.
func (g *goFile) errorTypes() {
	has := map[string]bool{}
	for _, d := range g.Decls {
		if d.Kind == KindMethod && d.Name == "Error" && strings.HasSuffix(d.Signature, "Error() string") {
			has[d.Parent] = true
		}
	}
	for _, d := range g.Decls {
		switch d.Kind {
		case KindStruct, KindType:
			if has[d.Name] || strings.HasSuffix(d.Name, "Error") && d.Name != "Error" {
				g.Failures = append(g.Failures, Failure{Name: d.Name, Text: firstSentence(d.Doc), Line: d.Start, End: d.End})
			}
		}
	}
}

// callee returns the called function as "import/path.Name" where the qualifier is an imported package, else "".
func (g *goFile) callee(call *ast.CallExpr) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	x, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	if p := g.imports[x.Name]; p != "" {
		return p + "." + sel.Sel.Name
	}
	return ""
}
