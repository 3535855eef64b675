package secretscan

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

//go:embed gitleaks.toml
var gitleaksRules []byte

// ruleFile is what is read of a rule file in the format of gitleaks. Rules and allowances about paths are left out: the text scanned here
// has no path.
type ruleFile struct {
	Allowlist allowFile  `toml:"allowlist"`
	Rules     []ruleText `toml:"rules"`
}

type ruleText struct {
	ID          string      `toml:"id"`
	Regex       string      `toml:"regex"`
	Entropy     float64     `toml:"entropy"`
	SecretGroup int         `toml:"secretGroup"`
	Keywords    []string    `toml:"keywords"`
	Allowlists  []allowFile `toml:"allowlists"`
	Path        string      `toml:"path"`
}

type allowFile struct {
	Condition   string   `toml:"condition"`
	RegexTarget string   `toml:"regexTarget"`
	Regexes     []string `toml:"regexes"`
	StopWords   []string `toml:"stopwords"`
	Paths       []string `toml:"paths"`
}

// A rule is one kind of secret. Its patterns are compiled when a text first holds one of its keywords.
type rule struct {
	id       string
	entropy  float64
	group    int
	keywords []string
	compiled func() patterns
}

type patterns struct {
	secret *regexp.Regexp
	quick  *trigger // nil: the pattern itself is tried
	allow  []allowance
}

// An allowance names matches that are no secrets.
type allowance struct {
	target string // what the patterns are matched with: "" the secret, "match" or "line"
	and    bool   // both a pattern and a stop word must match
	regexp []*regexp.Regexp
	stop   []string
}

// A ruleSet is all rules and what they have in common.
type ruleSet struct {
	rules  []*rule
	global func() []allowance
	words  *wordIndex
}

// builtin reads the embedded rules. They are part of the program and a test reads them all, so that a rule that cannot be read is
// left out here.
func builtin() *ruleSet {
	var file ruleFile
	_ = toml.Unmarshal(gitleaksRules, &file)
	set := &ruleSet{global: sync.OnceValue(func() []allowance {
		return append(allowances([]allowFile{file.Allowlist}), documentation())
	})}
	for _, text := range append(file.Rules, ownRules()...) {
		if text.Regex != "" && text.Path == "" {
			set.rules = append(set.rules, newRule(text))
		}
	}
	set.words = newWordIndex(set.rules)
	return set
}

func newRule(text ruleText) *rule {
	return &rule{
		id: text.ID, entropy: text.Entropy, group: text.SecretGroup, keywords: text.Keywords,
		compiled: sync.OnceValue(func() patterns {
			secret, err := regexp.Compile(text.Regex)
			if err != nil {
				return patterns{}
			}
			allow := allowances(text.Allowlists)
			if byContext(text.ID) {
				allow = append(allow, names())
			}
			return patterns{secret: secret, quick: newTrigger(text.Regex), allow: allow}
		}),
	}
}

func allowances(files []allowFile) []allowance {
	var list []allowance
	for _, f := range files {
		a := allowance{target: f.RegexTarget, and: strings.EqualFold(f.Condition, "and")}
		if a.and && len(f.Paths) > 0 {
			continue // holds only in files of some name
		}
		for _, pattern := range f.Regexes {
			if re, err := regexp.Compile(pattern); err == nil {
				a.regexp = append(a.regexp, re)
			}
		}
		for _, word := range f.StopWords {
			a.stop = append(a.stop, strings.ToLower(word))
		}
		list = append(list, a)
	}
	return list
}

// allows reports whether a match is known to be no secret.
func (a allowance) allows(secret, match, line string) bool {
	target := secret
	switch a.target {
	case "match":
		target = match
	case "line":
		target = line
	}
	byPattern := false
	for _, re := range a.regexp {
		if byPattern = re.MatchString(target); byPattern {
			break
		}
	}
	byWord := false
	lower := strings.ToLower(secret)
	for _, word := range a.stop {
		if byWord = strings.Contains(lower, word); byWord {
			break
		}
	}
	if a.and {
		return (byPattern || len(a.regexp) == 0) && (byWord || len(a.stop) == 0)
	}
	return byPattern || byWord
}
