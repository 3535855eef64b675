package agent

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/source"
)

const (
	maxSpan      = 200 // lines of one piece of evidence
	maxWholeFile = 200 // lines of a file cited as a whole
	minStatement = 4   // words
)

// cited reads the lines that Claims cite.
type cited struct {
	source *source.Source
	files  map[string][]string
}

func newCited(src *source.Source) *cited {
	return &cited{source: src, files: map[string][]string{}}
}

// trivial statements say only that something is there.
var trivial = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?i)^(?:the )?(?:\\w+ )?`?[\\w./:()*-]+`? (?:exists|is (?:a|an|the) (?:function|method|struct|class|type|interface|file|module|package|constant|variable|directory)" +
		"|is (?:defined|declared|located|implemented|found) (?:in|at) `?[\\w./:-]+`?)\\.?$")
})

// problems says, for the model, what is wrong with a proposed Claim.
func (c *cited) problems(claim claims.Proposal) []string {
	statement := strings.TrimSpace(claim.Statement)
	short := oneLine(statement[:min(len(statement), 80)])
	if len(strings.Fields(statement)) < minStatement || trivial().MatchString(statement) {
		return []string{fmt.Sprintf("Claim %q says only that something is there: say what it does or guarantees, or leave it out", short)}
	}
	var text strings.Builder
	for _, e := range claim.Evidence {
		lines, problem := c.lines(e.Resource)
		if problem != "" {
			return []string{fmt.Sprintf("Claim %q: %s", short, problem)}
		}
		text.WriteString(strings.Join(lines, "\n") + "\n" + e.Resource + "\n")
	}
	if missing := claims.MissingNames(statement, text.String()); missing != "" {
		return []string{fmt.Sprintf("Claim %q: the cited lines do not hold %s: cite the lines that do, or correct the statement", short, missing)}
	}
	return nil
}

// lines returns what a resource cites.
func (c *cited) lines(resource string) (lines []string, problem string) {
	res, err := evidence.Parse(resource, c.source.WikiDir())
	if err != nil {
		return nil, err.Error()
	}
	file, ok := c.files[res.Path]
	if !ok {
		data, err := c.source.Read(res.Path)
		if err != nil || !c.source.Tracked(res.Path) {
			return nil, fmt.Sprintf("%s is not a file of the source", res.Path)
		}
		file = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
		c.files[res.Path] = file
	}
	switch {
	case res.Start == 0 && len(file) > maxWholeFile:
		return nil, fmt.Sprintf("%s has %d lines: cite the lines that prove the statement, as in %s#L10-L20", res.Path, len(file), res.Path)
	case res.Start == 0:
		return file, ""
	case res.End > len(file):
		return nil, fmt.Sprintf("%s has only %d lines", res.Path, len(file))
	case res.End-res.Start+1 > maxSpan:
		return nil, fmt.Sprintf("%s cites %d lines: cite the narrowest that prove the statement", resource, res.End-res.Start+1)
	}
	return file[res.Start-1 : res.End], ""
}
