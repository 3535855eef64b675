package scan

import (
	"go/ast"
	"go/build/constraint"
	"strings"
)

// buildTagged tells whether the go tool leaves a file out of an ordinary build on every Unix system: because of a constraint at its
// top, or because its name ends in another system.
func buildTagged(path string, tree *ast.File) bool {
	if foreignName(baseName(path)) {
		return true
	}
	for _, c := range tree.Comments {
		if c.Pos() > tree.Package {
			break
		}
		for _, line := range c.List {
			if !constraint.IsGoBuild(line.Text) {
				continue
			}
			x, err := constraint.Parse(line.Text)
			return err == nil && !satisfied(x)
		}
	}
	return false
}

// satisfied tells whether a constraint holds on one of the usual Unix systems, with or without cgo.
func satisfied(x constraint.Expr) bool {
	for _, system := range []string{"linux", "darwin", "freebsd"} {
		for _, arch := range []string{"amd64", "arm64"} {
			for _, cgo := range []bool{true, false} {
				if x.Eval(func(tag string) bool {
					return tag == system || tag == arch || tag == "unix" || tag == "gc" || tag == "cgo" && cgo || strings.HasPrefix(tag, "go1.")
				}) {
					return true
				}
			}
		}
	}
	return false
}

// foreignName tells whether the name of a file ties it to a system that is no Unix: name_windows.go, name_js_wasm.go.
func foreignName(base string) bool {
	stem := strings.TrimSuffix(strings.TrimSuffix(base, ".go"), "_test")
	parts := strings.Split(stem, "_")
	for _, p := range parts[1:][max(len(parts)-3, 0):] {
		switch p {
		case "windows", "plan9", "js", "wasip1", "wasm":
			return true
		}
	}
	return false
}
