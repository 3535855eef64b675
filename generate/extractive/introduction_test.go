package extractive

import (
	"testing"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

func TestNextSentence_emphasis(t *testing.T) {
	text := "It is a *data structures* server. What this means is that it keeps snake_case_names by a *server-client* model. More.\n"
	a := newAtlas(&survey.Repository{Files: map[string]*scan.File{}}, "openwiki", fixedFiles(map[string]string{"README.md": text}))
	got, ref := a.nextSentence(survey.Fact{Text: "It is a data structures server.", Ref: survey.Ref{Path: "README.md", Start: 1, End: 1}})
	if want := "What this means is that it keeps snake_case_names by a server-client model."; got != want || ref.Start != 1 {
		t.Errorf("%q at %v, want %q", got, ref, want)
	}
}
