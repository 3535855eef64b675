// Package secretscan finds credentials in text that is about to be published: pages, the text of a pull request, commit messages, logs
// and job summaries.
//
// A [Scanner] knows the rules of gitleaks v8.30.1, whose rule file is embedded as it is (gitleaks.toml, MIT, see gitleaks.LICENSE), but
// for the five that hold only in files of a certain name, and a few of its own for keys that those rules leave out. [Scanner.Scan] says
// which rule matched on which line and never what the secret is; [Scanner.Redact] returns the text without it.
//
// Documentation is full of things that look like secrets: placeholders, the example keys of cloud providers, commit ids, checksums,
// versions of evidence. They are no hits. A comment in the text cannot switch a rule off, unlike with gitleaks itself.
//
// The scanner is silent and makes no decision about what a hit means. It does not decode: a secret in Base64 or split over lines is not
// found.
package secretscan

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"
)

// A Hit is one secret found.
type Hit struct {
	Rule string // name of the rule, such as "github-pat"
	Line int    // counted from 1
}

// A Scanner finds secrets. The rules are read at the first use. It may be used by several goroutines.
type Scanner struct{ rules func() *ruleSet }

// New returns a scanner with the built-in rules.
func New() *Scanner { return &Scanner{rules: sync.OnceValue(builtin)} }

// Scan returns the secrets in text by line, then by rule; one hit for a rule and line.
func (s *Scanner) Scan(text []byte) []Hit {
	var hits []Hit
	for _, f := range s.find(text) {
		hits = append(hits, Hit{Rule: f.rule, Line: 1 + bytes.Count(text[:f.start], []byte("\n"))})
	}
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.Rule, b.Rule)) })
	return slices.Compact(hits)
}

// Redact returns text with every secret replaced by the name of the rule that found it.
func (s *Scanner) Redact(text string) string {
	found := s.find([]byte(text))
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, f := range found {
		if f.end <= at {
			continue
		}
		b.WriteString(text[at:max(at, f.start)])
		b.WriteString("[redacted: " + f.rule + "]")
		at = f.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// A finding is the place of a secret.
type finding struct {
	rule       string
	start, end int
}

// find returns the secrets of a text by their place; the longest first where several start, then by rule.
func (s *Scanner) find(text []byte) []finding {
	if len(text) == 0 {
		return nil
	}
	set := s.rules()
	masked := maskSentenceEnds(maskVersions(text))
	var found []finding
	lower, odd := lowered(masked), oddLetters(masked)
	for _, r := range set.candidates(masked, lower, odd) {
		p := r.compiled()
		found = append(found, set.judge(r, p, masked, p.matches(masked, lower, odd))...)
	}
	return sorted(found)
}

func sorted(found []finding) []finding {
	slices.SortFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), strings.Compare(a.rule, b.rule))
	})
	return found
}
