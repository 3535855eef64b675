package scan

import (
	"go/ast"
	"strings"
)

// A goBody walks the code of one declaration.
type goBody struct {
	*goFile
	caller   string
	prefixes map[string]string        // route prefixes of router variables
	defaults map[*ast.CallExpr]string // defaults of environment reads, known from the expression around them
	methods  map[*ast.CallExpr]string // methods of routes, known from the chain around them
	commands map[string]string        // variables that hold a subcommand → its full name: "check config"

	receiver       string   // name of the receiver of the method that is walked
	assigns        []string // its fields that are assigned
	branch, nested bool     // see Call; of the node that is looked at
	walks          [4]goWalk
}

// bodies walks the code of every declaration for calls and for what they register or read.
func (g *goFile) bodies(tree *ast.File) {
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				continue
			}
			caller := d.Name.Name
			if r := receiver(d); r != "" {
				caller = r + "." + caller
			}
			assigns := g.walk(caller, receiverName(d), d.Body)
			if i, ok := g.methodDecls[d]; ok {
				g.Decls[i].Assigns = assigns
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && len(v.Names) > 0 {
					for _, e := range v.Values {
						if lit, ok := e.(*ast.FuncLit); ok { // the variable is the function
							g.walk(v.Names[0].Name, "", lit.Body)
						} else {
							g.walk(v.Names[0].Name, "", e)
						}
					}
				}
			}
		}
	}
}

// walk returns the fields of the receiver that are assigned.
func (g *goFile) walk(caller, receiver string, root ast.Node) []string {
	b := &goBody{goFile: g, caller: caller, receiver: receiver, prefixes: map[string]string{}, defaults: map[*ast.CallExpr]string{}, methods: map[*ast.CallExpr]string{}}
	b.inspect(root)
	return b.assigns
}

func (b *goBody) call(n *ast.CallExpr) {
	name, qualifier, ok := b.target(n.Fun)
	if !ok {
		return
	}
	if qualifier != "" || !goBuiltin(name) {
		b.Calls = append(b.Calls, Call{Caller: b.caller, Qualifier: qualifier, Name: name, Line: b.line(n.Fun.End()), Branch: b.branch, Nested: b.nested})
	}
	b.env(n, name)
	b.exit(n)
	if len(n.Args) == 0 {
		return
	}
	b.flag(n, name)
	b.kingpin(n, name)
	b.route(n, name)
	b.subtest(n, name)
}

// target returns the name and qualifier of a called expression.
func (b *goBody) target(fun ast.Expr) (name, qualifier string, ok bool) {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name, "", true
	case *ast.SelectorExpr:
		return fun.Sel.Name, qualifierOf(fun.X), true
	case *ast.IndexExpr:
		return b.target(fun.X)
	case *ast.IndexListExpr:
		return b.target(fun.X)
	case *ast.ParenExpr:
		return b.target(fun.X)
	}
	return "", "", false
}

// qualifierOf returns an expression of plain names as written, and "()" or "[]" for the result of a call or an index.
func qualifierOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return qualifierOf(e.X) + "." + e.Sel.Name
	case *ast.CallExpr:
		return "()"
	case *ast.IndexExpr:
		return "[]"
	case *ast.ParenExpr:
		return qualifierOf(e.X)
	case *ast.StarExpr:
		return qualifierOf(e.X)
	}
	return "()"
}

// goBuiltin tells whether a call of this plain name is of a builtin function or a conversion to a builtin type.
func goBuiltin(name string) bool {
	switch name {
	case "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new", "panic", "print",
		"println", "real", "recover", "bool", "byte", "complex64", "complex128", "error", "float32", "float64", "int", "int8", "int16",
		"int32", "int64", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "any":
		return true
	}
	return false
}

// composite records the construction of a named type, and the commands and flags that are declared as such literals.
func (b *goBody) composite(n *ast.CompositeLit) {
	if n.Type == nil {
		return
	}
	full := typeName(n.Type)
	if full == "" {
		return
	}
	qualifier, name, found := strings.Cut(full, ".")
	if !found {
		qualifier, name = "", full
	}
	b.Calls = append(b.Calls, Call{Caller: b.caller, Qualifier: qualifier, Name: name, Line: b.line(n.Pos()), Branch: b.branch, Nested: b.nested})
	p := b.imports[qualifier]
	switch {
	case strings.Contains(p, "spf13/cobra") && name == "Command":
		b.cobra(n)
	case strings.Contains(p, "urfave/cli") && name == "Command":
		b.urfaveCommand(n)
	case strings.Contains(p, "urfave/cli") && strings.HasSuffix(name, "Flag"):
		b.urfaveFlag(n)
	}
}

// env records reads of the environment: by the os package, and by small helpers that are named after it and given a literal name.
func (b *goBody) env(n *ast.CallExpr, name string) {
	if b.callee(n) == "cmp.Or" && len(n.Args) == 2 {
		if inner, ok := n.Args[0].(*ast.CallExpr); ok {
			b.defaults[inner] = b.given(n.Args[1])
		}
		return
	}
	if len(n.Args) == 0 {
		return
	}
	variable, ok := b.str(n.Args[0])
	if !ok || variable == "" {
		if id, plain := n.Args[0].(*ast.Ident); plain && (b.callee(n) == "os.Getenv" || b.callee(n) == "os.LookupEnv") {
			b.Env = append(b.Env, EnvRead{Default: b.defaults[n], Line: b.line(n.Pos()), Const: id.Name})
		}
		return
	}
	switch b.callee(n) {
	case "os.Getenv", "os.LookupEnv", "syscall.Getenv":
	default:
		if !envHelper(name) || !isEnvName(variable) || b.isPackage(n, "os") {
			return
		}
		if len(n.Args) == 2 {
			b.defaults[n] = b.given(n.Args[1])
		}
	}
	b.Env = append(b.Env, EnvRead{Name: variable, Default: b.defaults[n], Line: b.line(n.Pos())})
}

// isPackage tells whether a call is of a function of the package with this path.
func (b *goBody) isPackage(n *ast.CallExpr, p string) bool {
	return strings.HasPrefix(b.callee(n), p+".")
}

// envHelper tells whether a function of this name reads an environment variable, with an optional default.
func envHelper(name string) bool {
	lower := strings.ToLower(strings.ReplaceAll(name, "_", ""))
	if strings.HasPrefix(lower, "set") || strings.HasPrefix(lower, "unset") {
		return false
	}
	switch lower {
	case "env", "envor", "envdefault", "envordefault", "envstring", "envstr", "envint", "envbool", "envduration", "mustenv", "lookupenv", "envvar":
		return true
	}
	return strings.HasPrefix(lower, "getenv") || strings.HasPrefix(lower, "mustgetenv")
}

// isEnvName tells whether s has the form of the name of an environment variable.
func isEnvName(s string) bool {
	upper := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'A' <= c && c <= 'Z':
			upper = true
		case c == '_', isDigit(c) && i > 0:
		default:
			return false
		}
	}
	return upper && len(s) > 1
}

// exit records a literal exit status other than 0.
func (b *goBody) exit(n *ast.CallExpr) {
	if b.callee(n) != "os.Exit" || len(n.Args) != 1 {
		return
	}
	if code := b.given(n.Args[0]); code != "" && code != "0" {
		line := b.line(n.Pos())
		b.Failures = append(b.Failures, Failure{Name: "exit " + code, Line: line, End: line})
	}
}

// subtest records a named part of a test.
func (b *goBody) subtest(n *ast.CallExpr, name string) {
	if !b.IsTest || len(n.Args) < 2 {
		return
	}
	title, ok := b.str(n.Args[0])
	if !ok {
		return
	}
	switch name {
	case "Run":
		if _, ok := n.Fun.(*ast.SelectorExpr); !ok || !isTestName(b.caller) {
			return
		}
		title = b.caller + "/" + title
	case "Describe", "Context", "When", "It", "Specify":
		if !b.ginkgo {
			return
		}
	default:
		return
	}
	b.Tests = append(b.Tests, Test{Name: title, Line: b.line(n.Pos()), End: b.endLine(n.End())})
}
