package extractive

import (
	"testing"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

func TestNamesMeanWhatTheFileImports(t *testing.T) {
	own := &scan.File{Path: "src/Rule.php", Language: "PHP", Package: `Acme\Ledger`}
	rule := symbol{&scan.Decl{Name: "Rule", Kind: scan.KindInterface}, own}
	a := newAtlas(&survey.Repository{Files: map[string]*scan.File{own.Path: own}}, "openwiki", fixedFiles(nil))
	for _, tc := range []struct {
		name string
		file *scan.File
		want bool
	}{
		{"same namespace", &scan.File{Language: "PHP", Package: `Acme\Ledger`}, true},
		{"imported", &scan.File{Language: "PHP", Package: `Acme\Web`, Imports: []scan.Import{{Path: `Acme\Ledger\Rule`}}}, true},
		{"another of that name", &scan.File{Language: "PHP", Package: `Acme\Ledger`, Imports: []scan.Import{{Path: `Other\Rule`}}}, false},
		{"neither imported nor beside", &scan.File{Language: "PHP", Package: `Acme\Web`}, false},
		{"python import from a library", &scan.File{Language: "Python", Imports: []scan.Import{{Path: "library.Rule", Name: "Rule"}}}, false},
	} {
		if got := a.means(tc.file, rule); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}
