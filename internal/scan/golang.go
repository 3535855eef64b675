package scan

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// A goFile collects the facts of one Go file.
type goFile struct {
	*File
	src     *text // for lines and source text only
	base    int   // offset of the file in its file set
	imports map[string]string
	strings map[string]string // string constants of the file
	numbers map[string]string // integer constants of the file
	// methodDecls are the indexes of the declarations of methods.
	methodDecls map[*ast.FuncDecl]int

	// What the imports say about the file, asked for every call.
	flags, kingpins, frameworks, http, ginkgo bool
}

func scanGo(f *File, data []byte) {
	fset := token.NewFileSet()
	// A broken file still gives the declarations up to the break, so the error does not matter.
	tree, _ := parser.ParseFile(fset, "", data, parser.ParseComments|parser.SkipObjectResolution)
	if tree == nil || !tree.Package.IsValid() {
		return
	}
	src := &text{path: f.Path, src: data, code: data}
	src.index()
	g := &goFile{File: f, src: src, base: fset.File(tree.Package).Base(), imports: map[string]string{}, strings: map[string]string{}, numbers: map[string]string{}, methodDecls: map[*ast.FuncDecl]int{}}
	g.BuildTag = buildTagged(f.Path, tree)
	g.IsTest = strings.HasSuffix(f.Path, "_test.go")
	g.header(tree)
	g.constants(tree)
	for _, d := range tree.Decls {
		g.decl(d)
	}
	for _, c := range tree.Comments {
		from := g.offset(c.Pos())
		collectMarks(f, src.src[from:max(g.offset(c.End()), from)], g.line(c.Pos()))
	}
	g.errorTypes()
	g.bodies(tree)
}

// line returns the line of a position, within the file even where the parser lost its way.
func (g *goFile) line(p token.Pos) int { return g.src.line(g.offset(p)) }

// endLine returns the line of the last byte before p.
func (g *goFile) endLine(p token.Pos) int { return g.src.line(max(g.offset(p)-1, 0)) }

func (g *goFile) offset(p token.Pos) int { return min(max(int(p)-g.base, 0), len(g.src.src)) }

// source returns the source of a range on one line.
func (g *goFile) source(from, to token.Pos) string {
	return fold(g.src.text(g.offset(from), min(g.offset(to), g.offset(from)+4*maxSignature)), maxSignature)
}

func (g *goFile) header(tree *ast.File) {
	if tree.Name != nil {
		g.Package = tree.Name.Name
	}
	g.PackageLine = g.line(tree.Package)
	g.Doc, g.DocStart, g.DocEnd = g.doc(tree.Doc)
	for _, s := range tree.Imports {
		p, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			continue
		}
		imp := Import{Path: p, Line: g.line(s.Pos())}
		name := packageName(p)
		if s.Name != nil {
			imp.Name, name = s.Name.Name, s.Name.Name
		}
		g.Imports = append(g.Imports, imp)
		g.imports[name] = p
	}
	g.flags = g.importsAny("flag", "spf13/cobra")
	g.kingpins = g.importsAny("kingpin")
	g.frameworks = g.importsAny("go-chi/chi", "gin-gonic/gin", "labstack/echo", "gofiber/fiber", "julienschmidt/httprouter",
		"fasthttp/router", "gorilla/pat", "uptrace/bunrouter", "dimfeld/httptreemux", "gobuffalo/buffalo", "kataras/iris", "beego",
		"go-macaron", "cloudwego/hertz", "prometheus/common/route")
	g.http = g.frameworks || g.importsAny("net/http", "gorilla/mux")
	g.ginkgo = g.importsAny("onsi/ginkgo")
}

// packageName guesses the name of a package from its import path.
func packageName(p string) string {
	name := path.Base(p)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" && strings.Contains(p, "/") {
		name = path.Base(path.Dir(p))
	}
	if stem, version, ok := strings.Cut(name, ".v"); ok && strings.Trim(version, "0123456789") == "" {
		name = stem
	}
	return strings.TrimPrefix(strings.TrimSuffix(name, "-go"), "go-")
}

// importsAny tells whether the file imports a package whose path contains one of the parts.
func (g *goFile) importsAny(parts ...string) bool {
	for _, imp := range g.Imports {
		for _, p := range parts {
			if strings.Contains(imp.Path, p) {
				return true
			}
		}
	}
	return false
}

func (g *goFile) doc(c *ast.CommentGroup) (text string, start, end int) {
	if c == nil {
		return "", 0, 0
	}
	if text = strings.TrimSpace(c.Text()); text == "" {
		return "", 0, 0
	}
	return text, g.line(c.Pos()), g.endLine(c.End())
}

// setDoc gives a declaration the first of the comments that says something.
func (g *goFile) setDoc(d *Decl, comments ...*ast.CommentGroup) {
	for _, c := range comments {
		if d.Doc, d.DocStart, d.DocEnd = g.doc(c); d.Doc != "" {
			break
		}
	}
	note, ok := deprecation(d.Doc)
	if !ok {
		return
	}
	d.Deprecated = true
	line := d.DocStart
	if at := deprecatedAt(d.Doc); at >= 0 {
		line = min(line+strings.Count(d.Doc[:at], "\n"), d.DocEnd)
	}
	g.Marks = append(g.Marks, Mark{Kind: "DEPRECATED", Text: cut(note, maxMark), Line: line})
}

// deprecation returns the note after the word that says that something is deprecated.
func deprecation(doc string) (note string, ok bool) {
	at := deprecatedAt(doc)
	if at < 0 {
		return "", false
	}
	return firstSentence(strings.TrimLeft(doc[at+len("deprecated"):], ":. \n")), true
}

// deprecatedAt returns where a line begins with "Deprecated:", or is that word alone, as many people write; -1 where none does.
func deprecatedAt(doc string) int {
	for at := 0; at < len(doc); {
		line, _, _ := strings.Cut(doc[at:], "\n")
		if len(line) >= len("deprecated") && strings.EqualFold(line[:len("deprecated")], "deprecated") && line[0] == 'D' {
			if rest := line[len("deprecated"):]; rest == "" || rest == "." || rest[0] == ':' {
				return at
			}
		}
		at += len(line) + 1
	}
	return -1
}

// constants learns the literal constants of the file, for names that are given by constant.
func (g *goFile) constants(tree *ast.File) {
	for _, d := range tree.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.CONST {
			continue
		}
		for _, s := range gen.Specs {
			v, ok := s.(*ast.ValueSpec)
			if !ok || len(v.Values) != len(v.Names) {
				continue
			}
			for i, n := range v.Names {
				g.constant(n.Name, v.Values[i])
			}
		}
	}
}

func (g *goFile) constant(name string, value ast.Expr) {
	if lit, ok := value.(*ast.BasicLit); ok && lit.Kind == token.INT {
		g.numbers[name] = lit.Value
	} else if s, ok := g.str(value); ok && len(s) <= 1<<16 {
		g.strings[name] = s
	}
}

// str returns the value of a string literal, or of a string constant of this file.
func (g *goFile) str(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			s, err := strconv.Unquote(e.Value)
			return s, err == nil
		}
	case *ast.Ident:
		s, ok := g.strings[e.Name]
		return s, ok
	case *ast.ParenExpr:
		return g.str(e.X)
	case *ast.BinaryExpr:
		left, ok := g.str(e.X)
		right, ok2 := g.str(e.Y)
		return left + right, ok && ok2 && e.Op == token.ADD
	}
	return "", false
}

// literal returns a short literal value as written: a string, number, rune, true, false or nil.
func (g *goFile) literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if len(e.Value) <= maxSignature && !strings.Contains(e.Value, "\n") {
			return e.Value
		}
	case *ast.Ident:
		if e.Name == "true" || e.Name == "false" || e.Name == "nil" {
			return e.Name
		}
	case *ast.UnaryExpr:
		if v := g.literal(e.X); v != "" && e.Op == token.SUB {
			return "-" + v
		}
	case *ast.BinaryExpr: // 10 << 20, 5 * time.Second
		if literalOperand(e.X) && literalOperand(e.Y) {
			return g.source(e.Pos(), e.End())
		}
	}
	return ""
}

func literalOperand(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		return ok && x.Name == "time"
	case *ast.ParenExpr:
		return literalOperand(e.X)
	case *ast.BinaryExpr:
		return literalOperand(e.X) && literalOperand(e.Y)
	}
	return false
}

// given returns a default as a reader writes it: a string without quotes, any other literal as written, "" for the rest.
func (g *goFile) given(e ast.Expr) string {
	if s, ok := g.str(e); ok {
		return cut(s, maxSignature)
	}
	if id, ok := e.(*ast.Ident); ok {
		if n, ok := g.numbers[id.Name]; ok {
			return n
		}
	}
	if v := g.literal(e); v != "nil" {
		return v
	}
	return ""
}
