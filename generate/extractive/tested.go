package extractive

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// testedPart is the part that a test file is about by what it imports: in scripts and Python the one whose modules it imports most, that of the
// file it is named after first. It is nil where imports do not tell, or where the file lies with a part of its own, which leaves its place.
func (a *atlas) testedPart(f *scan.File) *survey.Component {
	return a.filled.tested.get(f, a.findTestedPart)
}

func (a *atlas) findTestedPart(f *scan.File) *survey.Component {
	switch f.Language {
	case "JavaScript", "TypeScript", "Python":
	default:
		return nil
	}
	stem := strings.TrimSuffix(testStem(f.Path), path.Ext(f.Path))
	modules := make(map[string]bool)
	for _, where := range a.calls.resolver.names(f) {
		module, _, _ := strings.Cut(where, "\x00")
		modules[module] = true
	}
	count := make(map[*survey.Component]int)
	var named *survey.Component
	for module := range modules {
		c := a.component(module)
		if c == nil || !slices.Contains(a.parts, c) || a.repo.Files[module] == nil || a.repo.Files[module].IsTest {
			continue
		}
		count[c]++
		if strings.EqualFold(strings.TrimSuffix(path.Base(module), path.Ext(module)), stem) && !generic[stem] {
			named = c
		}
	}
	if named != nil {
		return named
	}
	if own := a.component(f.Path); own != nil && own.Role != "tests" && !own.Rest {
		return nil // it lies with its part
	}
	var best *survey.Component
	for _, c := range a.parts { // in their order
		if count[c] > 0 && (best == nil || count[c] > count[best]) {
			best = c
		}
	}
	return best
}

// usesCrate reports whether a test of Rust names the crate of a part: an integration test of a program is called after what it tries, not
// after a file of some library.
func (a *atlas) usesCrate(f *scan.File, c *survey.Component) bool {
	m, ok := a.moduleOf(c.Dir)
	if !ok || m.Name == "" {
		return false
	}
	crate := strings.ReplaceAll(m.Name, "-", "_")
	return slices.ContainsFunc(f.Imports, func(imp scan.Import) bool {
		return imp.Path == crate || strings.HasPrefix(imp.Path, crate+"::")
	})
}
