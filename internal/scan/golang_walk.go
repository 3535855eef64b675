package scan

import (
	"go/ast"
	"go/token"
	"slices"
)

// inspect walks the code below root, and tells on the way what is not done on every run of it, and what only closures do.
func (b *goBody) inspect(root ast.Node) {
	for i := range b.walks {
		b.walks[i] = goWalk{b, i&1 > 0, i&2 > 0}
	}
	ast.Walk(b.state(b.branch, b.nested), root)
}

// A goWalk visits the nodes of one state. There are four, made once for each body: a walk has many steps.
type goWalk struct {
	*goBody
	branch, nested bool // of the nodes that are visited
}

// state returns the walk of nodes of a state.
func (b *goBody) state(branch, nested bool) *goWalk { return &b.walks[b2i(branch)+2*b2i(nested)] }

// Visit looks at one node.
func (w *goWalk) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.CallExpr:
		w.at()
		w.call(n)
		if lit, ok := n.Fun.(*ast.FuncLit); ok { // called on the spot
			ast.Walk(w, lit.Body)
			for _, a := range n.Args {
				ast.Walk(w, a)
			}
			return nil
		}
	case *ast.CompositeLit:
		w.at()
		w.composite(n)
	case *ast.AssignStmt:
		w.assign(n)
		for _, e := range n.Lhs {
			w.assigned(e)
		}
	case *ast.IncDecStmt:
		w.assigned(n.X)
	case *ast.FuncLit:
		ast.Walk(w.state(w.branch, true), n.Body)
		return nil
	case *ast.DeferStmt:
		return w.later(n.Call)
	case *ast.GoStmt:
		return w.later(n.Call)
	case *ast.BlockStmt:
		return w.statements(n.List)
	case *ast.CaseClause:
		for _, e := range n.List {
			ast.Walk(w, e)
		}
		return w.statements(n.Body)
	default:
		return w.control(n)
	}
	return w
}

// at gives the facts that follow the state of this walk.
func (w *goWalk) at() { w.goBody.branch, w.goBody.nested = w.branch, w.nested }

// some returns the walk of what is not done on every run.
func (w *goWalk) some() *goWalk { return w.state(true, w.nested) }

// node walks a node, if it is there.
func (w *goWalk) node(n ast.Node) {
	if n != nil {
		ast.Walk(w, n)
	}
}

// block walks a block, if it is there.
func (w *goWalk) block(n *ast.BlockStmt) {
	if n != nil {
		ast.Walk(w, n)
	}
}

// control walks statements and operators that choose what is done.
func (w *goWalk) control(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.IfStmt:
		w.node(stmt(n.Init))
		w.node(n.Cond)
		w.some().block(n.Body)
		w.some().node(stmt(n.Else))
	case *ast.ForStmt:
		w.node(stmt(n.Init))
		w.node(expr(n.Cond))
		w.some().block(n.Body)
		w.some().node(stmt(n.Post))
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if e != nil && n.Tok == token.ASSIGN {
				w.assigned(e)
			}
		}
		w.node(n.X)
		w.some().block(n.Body)
	case *ast.SwitchStmt:
		w.node(stmt(n.Init))
		w.node(expr(n.Tag))
		w.some().block(n.Body)
	case *ast.TypeSwitchStmt:
		w.node(stmt(n.Init))
		w.node(stmt(n.Assign))
		w.some().block(n.Body)
	case *ast.SelectStmt:
		w.some().block(n.Body)
	case *ast.BinaryExpr:
		if n.Op != token.LAND && n.Op != token.LOR {
			return w
		}
		w.node(n.X)
		w.some().node(n.Y)
	default:
		return w
	}
	return nil
}

// stmt and expr make nil interfaces of absent nodes.
func stmt(s ast.Stmt) ast.Node {
	if s == nil {
		return nil
	}
	return s
}

func expr(e ast.Expr) ast.Node {
	if e == nil {
		return nil
	}
	return e
}

// statements walks a list. What follows a return at its own level is reached by a label only.
func (w *goWalk) statements(list []ast.Stmt) ast.Visitor {
	for _, s := range list {
		ast.Walk(w, s)
		if _, ok := s.(*ast.ReturnStmt); ok {
			w = w.some()
		}
	}
	return nil
}

// later walks the call of a defer or go statement: a function literal there is a closure.
func (w *goWalk) later(call *ast.CallExpr) ast.Visitor {
	lit, ok := call.Fun.(*ast.FuncLit)
	if !ok {
		ast.Walk(w, call)
		return nil
	}
	ast.Walk(w.state(w.branch, true), lit.Body)
	for _, a := range call.Args {
		ast.Walk(w, a)
	}
	return nil
}

// assigned notes the field of the receiver that an assignment to e changes.
func (b *goBody) assigned(e ast.Expr) {
	for b.receiver != "" {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			if id, ok := x.X.(*ast.Ident); ok {
				if id.Name == b.receiver && !slices.Contains(b.assigns, x.Sel.Name) {
					b.assigns = append(b.assigns, x.Sel.Name)
				}
				return
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return
		}
	}
}

// receiverName returns the name under which a method knows its receiver, "" where it does not use it.
func receiverName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 || len(d.Recv.List[0].Names) == 0 || d.Recv.List[0].Names[0].Name == "_" {
		return ""
	}
	return d.Recv.List[0].Names[0].Name
}
