package agent

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

const (
	// maxReviews is how often a submission of one attempt is sent back for what is merely poor; after that the lifecycle decides alone, and
	// what is left shows among the findings.
	maxReviews = 3
	// minWords is the least a page says, links and front matter aside.
	minWords = 60
	// maxProblems bounds what is told at once: a model mends a few things well.
	maxProblems = 12
)

// review looks at a page and its decisions as a strict reader would, without a model, before the lifecycle does.
type review struct {
	page     *generate.Page
	evidence *cited
	rounds   int
}

func newReview(p *generate.Page) *review {
	return &review{page: p, evidence: newCited(p.Source)}
}

// check returns what has to be put right, in words for the model; nothing lets the submission through.
func (r *review) check(decisions claims.Reconciliation) ([]string, error) {
	text, err := r.page.Workspace.ReadFile(string(r.page.Job.Path))
	if err != nil {
		return nil, fmt.Errorf("the page %s is not there: write it first", r.page.Job.Path)
	}
	problems := frontMatterProblems(r.page.Job.Path, text)
	if r.rounds < maxReviews {
		more, err := r.poor(text, decisions)
		if err != nil {
			return nil, err
		}
		problems = append(problems, more...)
	}
	if len(problems) > 0 {
		r.rounds++
	}
	if len(problems) > maxProblems {
		problems = append(problems[:maxProblems], fmt.Sprintf("and %d more", len(problems)-maxProblems))
	}
	return problems, nil
}

// poor returns what is wrong in substance.
func (r *review) poor(text []byte, decisions claims.Reconciliation) ([]string, error) {
	problems := substance(wiki.Parse(text).Body(), wiki.Parse(r.page.Text).Body(), r.page.Existing)
	findings, err := r.page.Check()
	if err != nil {
		return nil, err
	}
	for _, f := range findings {
		problems = append(problems, fmt.Sprintf("line %d: %s", f.Line, f.Message))
	}
	for _, claim := range decisions.Claims {
		problems = append(problems, r.evidence.problems(claim)...)
	}
	if r.needsClaims(decisions) {
		problems = append(problems, "the page has no Claims: submit those facts of it that a reader relies on, each with its evidence")
	}
	return problems, nil
}

// needsClaims reports a page that would be left without a single Claim.
func (r *review) needsClaims(decisions claims.Reconciliation) bool {
	return len(decisions.Claims) == 0 && len(r.page.Claims) <= len(decisions.Retracted)
}

var placeholders = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:TODO|TBD|FIXME|lorem ipsum|coming soon|to be (?:written|added|documented|determined)|placeholder text|insert (?:text|description|content) here|work in progress)\b|\[(?:insert|your|describe)[^\]]*\]`)
})

// substance says what a body lacks. What was there before, a person or another author may have meant.
func substance(body, before []byte, existing bool) []string {
	var problems []string
	text := string(body)
	if words := countWords(text); words < minWords && (!existing || words < countWords(string(before))) {
		problems = append(problems, fmt.Sprintf("the page says too little (%d words): say what a reader needs before changing this part", words))
	}
	if !strings.Contains(text, "# ") {
		problems = append(problems, "the page has no heading")
	}
	for i, line := range strings.Split(text, "\n") {
		if match := placeholders().FindString(line); match != "" && !strings.Contains(string(before), line) && !inCode(line, match) {
			problems = append(problems, fmt.Sprintf("line %d of the body holds placeholder text (%q): say it, or leave it out", i+1, match))
		}
	}
	return problems
}

// inCode reports that text stands in a code span: the source may really have a marker of that name.
func inCode(line, text string) bool {
	for i, part := range strings.Split(line, "`") {
		if i%2 == 1 && strings.Contains(part, text) {
			return true
		}
	}
	return false
}

func countWords(text string) int {
	return len(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
}
