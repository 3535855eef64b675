package scan

import (
	"go/ast"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// flag records an option of the flag and pflag packages: F("name", default, "usage"), FVar(&v, "name", …), and the forms that end
// in P, with a shorthand.
func (b *goBody) flag(n *ast.CallExpr, name string) {
	if !b.flags {
		return
	}
	args := n.Args
	kind, short := strings.CutSuffix(name, "P")
	kind, variable := strings.CutSuffix(kind, "Var")
	plain := false // Var, Func: no default
	switch kind {
	case "":
		plain = variable
	case "Func", "BoolFunc":
		if len(args) == 3 {
			if flagName, ok := b.str(args[0]); ok && isFlagName(flagName) {
				b.addFlag(n, flagName, "", args[1])
			}
		}
		return
	default:
		if !flagKind(kind) {
			return
		}
	}
	if variable && len(args) > 0 {
		args = args[1:]
	}
	want := 3
	if plain {
		want--
	}
	if short {
		want++
	}
	if len(args) != want && !(kind == "Count" && len(args) == want-1) {
		return
	}
	flagName, ok := b.str(args[0])
	if !ok || !isFlagName(flagName) {
		return
	}
	value := ""
	if !plain && kind != "Count" {
		value = b.given(args[len(args)-2])
	}
	b.addFlag(n, flagName, value, args[len(args)-1])
}

func (b *goBody) addFlag(n *ast.CallExpr, name, value string, usage ast.Expr) {
	text, _ := b.str(usage)
	b.Flags = append(b.Flags, Flag{Name: name, Default: value, Usage: cut(text, maxMark), Line: b.line(n.Pos())})
}

func flagKind(kind string) bool {
	switch kind {
	case "Bool", "String", "Int", "Int8", "Int16", "Int32", "Int64", "Uint", "Uint8", "Uint16", "Uint32", "Uint64", "Float32", "Float64",
		"Duration", "Text", "StringSlice", "StringArray", "IntSlice", "BoolSlice", "StringToString", "StringToInt", "IP", "IPNet",
		"DurationSlice", "UintSlice", "BytesHex", "Count":
		return true
	}
	return false
}

func isFlagName(s string) bool {
	if s == "" || len(s) > 80 || s[0] == '-' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isWord(c) && c != '-' && c != '.' && c != ':' {
			return false
		}
	}
	return true
}

// kingpin records app.Flag("name", "help").Default("x").Envar("Y") and app.Command("name", "help"). The walk meets the end of the
// chain first, and notes what it says about the call at its start.
func (b *goBody) kingpin(n *ast.CallExpr, name string) {
	if !b.kingpins {
		return
	}
	switch name {
	case "Default":
		if start := chainStart(n, "Flag"); start != nil {
			b.defaults[start] = b.given(n.Args[0])
		}
	case "Envar", "OverrideDefaultFromEnvar":
		if v, ok := b.str(n.Args[0]); ok {
			b.Env = append(b.Env, EnvRead{Name: v, Line: b.line(n.Args[0].Pos())})
		}
	case "Flag", "Command":
		title, ok := b.str(n.Args[0])
		if !ok || len(n.Args) != 2 {
			return
		}
		help := b.help(n.Args[1])
		of := ""
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
			of = b.commandOf(sel.X)
		}
		if name == "Flag" {
			b.Flags = append(b.Flags, Flag{Name: title, Default: b.defaults[n], Usage: help, Line: b.line(n.Args[0].Pos()), Command: of})
			return
		}
		b.Commands = append(b.Commands, Command{Name: strings.TrimSpace(of + " " + title), Short: help, Line: b.line(n.Args[0].Pos())})
	}
}

// help returns the words of a help text; what is put into it when the program runs shows as "…".
func (b *goBody) help(e ast.Expr) string {
	if s, ok := b.str(e); ok {
		return s
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return b.help(e.X) + b.help(e.Y)
		}
	case *ast.CallExpr:
		if b.callee(e) == "fmt.Sprintf" && len(e.Args) > 0 {
			if s, ok := b.str(e.Args[0]); ok {
				return formatVerb().ReplaceAllString(s, "…")
			}
		}
	case *ast.Ident:
		return ""
	}
	return "…"
}

var formatVerb = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[-+ #0]*[0-9.]*[a-zA-Z]`) })

// commandOf returns the full name of the subcommand that an expression of kingpin stands for, "" for the program itself.
func (b *goBody) commandOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return b.commands[e.Name]
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		if !ok {
			return ""
		}
		of := b.commandOf(sel.X)
		if sel.Sel.Name != "Command" || len(e.Args) == 0 {
			return of
		}
		if title, ok := b.str(e.Args[0]); ok {
			return strings.TrimSpace(of + " " + title)
		}
	}
	return ""
}

// chainStart returns the call of the named method that a chain of method calls begins with.
func chainStart(n *ast.CallExpr, name string) *ast.CallExpr {
	for {
		sel, ok := n.Fun.(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		if sel.Sel.Name == name {
			return n
		}
		if n, ok = sel.X.(*ast.CallExpr); !ok {
			return nil
		}
	}
}

// keys returns the values of a composite literal by key.
func keys(n *ast.CompositeLit) map[string]ast.Expr {
	out := map[string]ast.Expr{}
	for _, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if k, ok := kv.Key.(*ast.Ident); ok {
				out[k.Name] = kv.Value
			}
		}
	}
	return out
}

func (b *goBody) cobra(n *ast.CompositeLit) {
	k := keys(n)
	use, ok := b.str(k["Use"])
	if !ok || strings.TrimSpace(use) == "" {
		return
	}
	short, _ := b.str(k["Short"])
	b.Commands = append(b.Commands, Command{Name: strings.Fields(use)[0], Short: short, Line: b.line(n.Pos())})
}

func (b *goBody) urfaveCommand(n *ast.CompositeLit) {
	k := keys(n)
	name, ok := b.str(k["Name"])
	if !ok {
		return
	}
	usage, _ := b.str(k["Usage"])
	b.Commands = append(b.Commands, Command{Name: name, Short: usage, Line: b.line(n.Pos())})
}

func (b *goBody) urfaveFlag(n *ast.CompositeLit) {
	k := keys(n)
	name, ok := b.str(k["Name"])
	if !ok {
		return
	}
	name, _, _ = strings.Cut(name, ",")
	usage, _ := b.str(k["Usage"])
	value := ""
	if k["Value"] != nil {
		value = b.given(k["Value"])
	}
	b.Flags = append(b.Flags, Flag{Name: name, Default: value, Usage: usage, Line: b.line(n.Pos())})
	for _, key := range []string{"EnvVar", "EnvVars", "Sources"} {
		for _, e := range elements(k[key]) {
			if v, ok := b.str(e); ok {
				b.Env = append(b.Env, EnvRead{Name: v, Default: value, Line: b.line(e.Pos())})
			}
		}
	}
}

// elements returns the values of a slice literal or the arguments of a call; any other expression is one value.
func elements(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case nil:
		return nil
	case *ast.CompositeLit:
		return e.Elts
	case *ast.CallExpr:
		return e.Args
	}
	return []ast.Expr{e}
}

// tag records the variables and options that struct tags declare for the usual configuration packages.
func (g *goFile) tag(f *ast.Field) {
	if f.Tag == nil {
		return
	}
	raw, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return
	}
	t := reflect.StructTag(raw)
	line := g.line(f.Tag.Pos())
	value := t.Get("envDefault")
	if value == "" {
		value = t.Get("default")
	}
	for _, key := range []string{"env", "envconfig"} {
		name, _, _ := strings.Cut(t.Get(key), ",")
		if isEnvName(name) {
			g.Env = append(g.Env, EnvRead{Name: name, Default: value, Line: line})
		}
	}
	if long := t.Get("long"); long != "" && g.importsAny("go-flags") {
		g.Flags = append(g.Flags, Flag{Name: long, Default: value, Usage: t.Get("description"), Line: line})
	}
	if !g.importsAny("alecthomas/kong") || len(f.Names) != 1 {
		return
	}
	name := t.Get("name")
	if name == "" {
		name = kebab(f.Names[0].Name)
	}
	if _, ok := t.Lookup("cmd"); ok {
		g.Commands = append(g.Commands, Command{Name: name, Short: t.Get("help"), Line: line})
	} else if _, arg := t.Lookup("arg"); !arg && t.Get("help") != "" {
		g.Flags = append(g.Flags, Flag{Name: name, Default: value, Usage: t.Get("help"), Line: line})
	}
}

// kebab turns a Go name into words joined by hyphens.
func kebab(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			if i > 0 && (!upperAt(name, i-1) || i+1 < len(name) && !upperAt(name, i+1)) {
				b.WriteByte('-')
			}
			c |= 0x20
		}
		b.WriteByte(c)
	}
	return b.String()
}

func upperAt(s string, i int) bool { return 'A' <= s[i] && s[i] <= 'Z' }
