package scan

import (
	"go/ast"
	"strings"
)

// route records the registration of an HTTP route with a literal path: net/http and the routers with the same words, and the method
// calls of the usual frameworks where the file imports one.
func (b *goBody) route(n *ast.CallExpr, name string) {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	switch name {
	case "Methods": // gorilla: r.HandleFunc(…).Methods("GET")
		b.chainMethods(n)
	case "Handle", "HandleFunc", "HandlerFunc", "Method", "MethodFunc", "Add":
		b.handle(n, sel)
	case "Route", "Group": // chi: r.Route("/x", func(r chi.Router) { … })
		b.below(n, sel)
	default:
		method, ok := methodName(name)
		if !ok || len(n.Args) < 2 || !b.frameworks && !(b.http && !b.IsTest && routerName(sel.X)) {
			return
		}
		if p, ok := b.str(n.Args[0]); ok && (p == "" || p[0] == '/') {
			b.addRoute(n, sel, method, p)
		}
	}
}

// methodName returns the HTTP method that a router method is named after.
func methodName(name string) (string, bool) {
	switch name {
	case "Any", "All":
		return "", true
	case "Del":
		return "DELETE", true
	case "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "CONNECT", "TRACE", "Get", "Post", "Put", "Delete", "Patch", "Head",
		"Options", "Connect", "Trace":
		return strings.ToUpper(name), true
	}
	return "", false
}

// routerName tells whether an expression is called what people call the routers they write themselves.
func routerName(e ast.Expr) bool {
	name := qualifierOf(e)
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	return name == "r" || name == "rt" || name == "rtr" || strings.HasSuffix(name, "router") || strings.HasSuffix(name, "mux") || strings.HasSuffix(name, "routes")
}

// wraps tells whether a call puts something around the handler that it is given: wrap(handler), http.HandlerFunc(handler).
func (b *goBody) wraps(call *ast.CallExpr) bool {
	_, plain := call.Fun.(*ast.Ident)
	return len(call.Args) == 1 && (plain || b.callee(call) == "net/http.HandlerFunc")
}

// handle records Handle("/x", h), Handle("GET /x", h) and Handle("GET", "/x", h).
func (b *goBody) handle(n *ast.CallExpr, sel *ast.SelectorExpr) {
	if len(n.Args) < 2 {
		return
	}
	method := b.methods[n]
	if m, ok := b.httpMethod(n.Args[0]); ok {
		if p, ok := b.str(n.Args[1]); ok && len(n.Args) > 2 && strings.HasPrefix(p, "/") {
			b.addRoute(n, sel, m, p)
		}
		return
	}
	pattern, ok := b.str(n.Args[0])
	if !ok || len(n.Args) != 2 && !b.frameworks {
		return
	}
	if m, rest, found := strings.Cut(pattern, " "); found && m == strings.ToUpper(m) {
		method, pattern = m, strings.TrimLeft(rest, " ")
	}
	if slash := strings.IndexByte(pattern, '/'); slash < 0 || strings.ContainsAny(pattern[:slash], " :") {
		return
	}
	if b.http {
		b.addRoute(n, sel, method, pattern)
	}
}

// httpMethod reads "GET" and http.MethodGet.
func (b *goBody) httpMethod(e ast.Expr) (string, bool) {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		if m, ok := strings.CutPrefix(sel.Sel.Name, "Method"); ok && m != "" {
			return strings.ToUpper(m), true
		}
		return "", false
	}
	s, ok := b.str(e)
	if !ok {
		return "", false
	}
	_, known := methodName(s)
	return s, known && s == strings.ToUpper(s)
}

func (b *goBody) chainMethods(n *ast.CallExpr) {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	inner, ok := sel.X.(*ast.CallExpr)
	if !ok {
		return
	}
	for _, start := range []string{"HandleFunc", "Handle"} {
		if call := chainStart(inner, start); call != nil {
			if m, ok := b.httpMethod(n.Args[0]); ok && len(n.Args) == 1 {
				b.methods[call] = m
			}
		}
	}
}

// below gives the routers that a function literal receives the prefix under which it registers.
func (b *goBody) below(n *ast.CallExpr, sel *ast.SelectorExpr) {
	prefix := b.prefixOf(sel.X)
	if p, ok := b.str(n.Args[0]); ok {
		prefix = joinPath(prefix, p)
	}
	lit, ok := n.Args[len(n.Args)-1].(*ast.FuncLit)
	if !ok || lit.Type.Params == nil || len(lit.Type.Params.List) != 1 || len(lit.Type.Params.List[0].Names) != 1 {
		return
	}
	// The same name means another router outside of the literal, so its body is walked here, under its own prefixes, and not again.
	inner := &goBody{goFile: b.goFile, caller: b.caller, branch: b.branch, nested: true, prefixes: map[string]string{}, defaults: b.defaults, methods: b.methods}
	for k, v := range b.prefixes {
		inner.prefixes[k] = v
	}
	inner.prefixes[lit.Type.Params.List[0].Names[0].Name] = prefix
	inner.inspect(lit.Body)
	lit.Body = &ast.BlockStmt{Lbrace: lit.Body.Lbrace, Rbrace: lit.Body.Rbrace}
}

// assign learns the prefix of a router variable: v1 := r.Group("/v1"), s := r.PathPrefix("/x").Subrouter().
func (b *goBody) assign(n *ast.AssignStmt) {
	if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
		return
	}
	id, ok := n.Lhs[0].(*ast.Ident)
	if !ok {
		return
	}
	if call, ok := n.Rhs[0].(*ast.CallExpr); ok {
		if c := b.commandOf(call); c != "" && b.kingpins {
			if b.commands == nil {
				b.commands = map[string]string{}
			}
			b.commands[id.Name] = c
		}
		if p := b.prefixOf(call); p != "" {
			b.prefixes[id.Name] = p
		}
	}
}

// prefixOf returns the prefix under which a router expression registers routes.
func (b *goBody) prefixOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return b.prefixes[e.Name]
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		if !ok {
			return ""
		}
		switch sel.Sel.Name {
		case "Group", "PathPrefix", "Party":
			if len(e.Args) > 0 {
				if p, ok := b.str(e.Args[0]); ok {
					return joinPath(b.prefixOf(sel.X), p)
				}
			}
		case "Subrouter", "With", "Use":
			return b.prefixOf(sel.X)
		}
	}
	return ""
}

func joinPath(prefix, p string) string {
	switch {
	case prefix == "":
		return p
	case len(prefix) > maxPath:
		return prefix
	}
	return strings.TrimSuffix(prefix, "/") + "/" + strings.TrimPrefix(p, "/")
}

func (b *goBody) addRoute(n *ast.CallExpr, sel *ast.SelectorExpr, method, p string) {
	if prefix := b.prefixOf(sel.X); prefix != "" && p == "" {
		p = prefix
	} else {
		p = joinPath(prefix, p)
	}
	if p == "" {
		return
	}
	handler := ""
	last := len(n.Args) - 1
	if b.importsAny("labstack/echo") {
		last = 1 // middleware follows the handler
	}
	e := n.Args[last]
	for call, ok := e.(*ast.CallExpr); ok && b.wraps(call); call, ok = e.(*ast.CallExpr) {
		e = call.Args[0]
	}
	switch e := e.(type) {
	case *ast.Ident:
		handler = e.Name
	case *ast.SelectorExpr:
		handler = qualifierOf(e)
	}
	b.Routes = append(b.Routes, Route{Method: method, Path: p, Handler: handler, Line: b.line(n.Args[0].Pos())})
}
