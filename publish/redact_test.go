package publish

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/secretscan"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
)

// A credential in any text of a report is seen at no level of detail: not when its characters are escaped, and not when the text is cut in
// its middle.
func TestRedacted(t *testing.T) {
	const part = "x7Kq2ZpLm9VwR4tYc8NbJ3hFd6GsA1eUoPiQ"
	for _, secret := range []string{"ghp" + "_" + part, "AKIA" + "2EXK7FQ3B2K4C5PW"} {
		for _, before := range []string{"uses ", strings.Repeat("long ", 14), strings.Repeat("long ", 22), strings.Repeat("long ", 58)} {
			text := before + secret + "."
			secretive := func() bodyData {
				data := brokenWiki()
				for i := range data.Bundle.Pages {
					data.Bundle.Pages[i].Title, data.Bundle.Pages[i].Reason = text, text
				}
				p := &data.Bundle.Delta.Pages[0]
				p.Title, p.Addressed, p.Links, p.Commands = text, []string{text}, []string{text}, []string{text}
				p.Claims = []wikidiff.ClaimDelta{
					{ID: "c", Before: statementOf("c", text+" was", "repo://"+secret+"/a.go#L1"), After: statementOf("c", text, "repo://"+secret+"/a.go#L1")},
					{ID: "d", Before: statementOf("d", text, "repo://a.go")},
				}
				data.Bundle.Delta.Lost = []wikidiff.Lost{{Page: p.Path, Resource: "repo://" + secret + "/a.go", Statement: text}}
				data.Bundle.Delta.Moved = []wikidiff.Move{{Page: p.Path, From: "repo://" + secret + "/a.go", To: "repo://" + secret + "/b.go"}}
				data.Bundle.Findings = []wiki.Finding{{Page: string(p.Path), Message: text}}
				data.Bundle.Run.Error, data.Bundle.Run.Hint, data.Bundle.Run.Model = text, text, text
				data.Blocked = []Blocked{{Path: "openwiki/x.md", Kind: KindSecret, Message: text}}
				data.Notices = []string{text}
				data.Settings = []Setting{{Name: "title", Value: text}}
				return data
			}
			data := secretive()
			clean := data.redacted(secretscan.New().Redact)
			for level := levelAll; level <= levelState; level++ {
				shown := strings.NewReplacer(`\`, "", "&#8203;", "").Replace(clean.sections(level))
				if at := strings.Index(shown, secret[:10]); at >= 0 {
					t.Errorf("level %d shows %q of it", level, shown[max(0, at-60):min(len(shown), at+60)])
				}
				if level == levelAll && !strings.Contains(shown, "[redacted: ") {
					t.Error("the level does not show the texts: the test shows nothing")
				}
			}
			if diff := cmp.Diff(secretive().Bundle, data.Bundle); diff != "" {
				t.Errorf("the bundle itself was changed (-want +got):\n%s", diff)
			}
		}
	}
	plain := changedWiki()
	kept := plain.redacted(secretscan.New().Redact)
	if diff := cmp.Diff(renderBody(plain), renderBody(kept)); diff != "" {
		t.Errorf("a text without credentials was changed (-want +got):\n%s", diff)
	}
}
