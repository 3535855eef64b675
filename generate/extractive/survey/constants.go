package survey

import (
	"path"
	"strings"

	"github.com/wikiwright/wikiwright/internal/scan"
)

// constants returns the text of a string constant of Go that is declared in a directory, with the declarations that it is put together of; ""
// where a part of it is no constant of that directory or is declared more than once.
func constants(repo *Repository, dir, name string, depth int) (string, []Ref) {
	var found *scan.Decl
	file := ""
	for _, p := range repo.Packages {
		if p.Dir != dir {
			continue
		}
		for _, f := range p.Files {
			if repo.Files[f] == nil || path.Dir(f) != dir {
				continue
			}
			for i := range repo.Files[f].Decls {
				if d := &repo.Files[f].Decls[i]; d.Name == name && d.Parent == "" {
					if found != nil {
						return "", nil
					}
					found, file = d, f
				}
			}
		}
	}
	if found == nil || found.Kind != scan.KindConstant || depth > 4 {
		return "", nil
	}
	_, value, ok := strings.Cut(found.Signature, "=")
	if !ok {
		return "", nil
	}
	out, refs := "", []Ref{{Path: file, Start: found.Start, End: found.Start}}
	for term := range strings.SplitSeq(value, "+") {
		term = strings.TrimSpace(term)
		if literal := strings.Trim(term, "\"`"); len(literal) == len(term)-2 && !strings.Contains(literal, "\\") {
			out += literal
			continue
		}
		part, more := constants(repo, dir, term, depth+1)
		if part == "" {
			return "", nil
		}
		out, refs = out+part, append(refs, more...)
	}
	return out, refs
}

// macros are the macros of C that stand for one literal, by name; those that files define differently stand for none.
type macros map[string]macro

type macro struct {
	value string
	ref   Ref
}

// definitions collects the macros of the product.
func definitions(repo *Repository) macros {
	out := macros{}
	for _, name := range sortedKeys(repo.Files) {
		f := repo.Files[name]
		if f.Language != "C" && f.Language != "C++" || f.IsTest {
			continue
		}
		for i := range f.Decls {
			d := &f.Decls[i]
			if d.Kind != scan.KindMacro {
				continue
			}
			value := d.Value
			if value == "" {
				_, written, _ := strings.Cut(strings.TrimPrefix(d.Signature, "#define "), " ")
				written, _, _ = strings.Cut(written, "/*")
				value = productOf(written)
			}
			if have, ok := out[d.Name]; ok && have.value != value {
				value = ""
			}
			out[d.Name] = macro{value, Ref{Path: name, Start: d.Start, End: d.Start}}
		}
	}
	return out
}

// value is the literal that a macro stands for, with the line that says so; "" where there is none for certain.
func (m macros) value(name string) (string, []Ref) {
	if have := m[name]; have.value != "" {
		return have.value, []Ref{have.ref}
	}
	return "", nil
}
