package extractive

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

func TestSamples(t *testing.T) {
	text := "# Example file.\n\n# Accept connections on the\n# given port. Zero means none.\nport 6379\n\n# mode always\nmode everysec\n\n# dir <path>\n# The directory to work in.\ndir ./\n" +
		"limit 3\n\n##### LOGGING #####\nlog-level notice\n\n# How much to keep.\n# keep-all yes\nkeep-some no\n"
	repo := &survey.Repository{Files: map[string]*scan.File{}, Config: []survey.ConfigItem{{Kind: "file", Name: "a.conf", Refs: []survey.Ref{{Path: "a.conf"}}}}}
	a := newAtlas(repo, "openwiki", fixedFiles(map[string]string{"a.conf": text}))
	var got []string
	for _, s := range a.samples() {
		got = append(got, s.name+"="+s.value+"|"+s.meaning.text+"|"+location(s.meaning.ref))
	}
	want := []string{
		"port=6379|Accept connections on the given port.|a.conf:3-4", "mode=everysec||.", "dir=./|The directory to work in.|a.conf:11", "limit=3||.",
		"log-level=notice||.", "keep-some=no||.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
}

func TestFailureWords(t *testing.T) {
	for s, want := range map[string]bool{"Stops writes when the last save failed.": true, "An AOF file may be truncated.": true, "The number of databases.": false, "Terror": false} {
		if got := failureWords()(s); got != want {
			t.Errorf("failureWords(%q) = %v, want %v", s, got, want)
		}
	}
}
