package extractive

import (
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// purposes is the order in which people need commands, with the words for each.
var purposes = []struct{ key, words string }{
	{"setup", "Set up"}, {"install", "Install"}, {"build", "Build"}, {"run", "Run"}, {"dev", "Develop"}, {"test", "Test"}, {"test-one", "Test one part"},
	{"lint", "Lint"}, {"format", "Format"}, {"generate", "Generate"}, {"docs", "Build the documentation"}, {"release", "Release"}, {"bench", "Benchmark"}, {"debug", "Debug"}, {"update", "Update pins"}, {"clean", "Clean up"},
}

// commands tables the commands that the repository defines, by purpose.
func (a *atlas) commands(p *page) {
	p.table([]string{"To", "Command", "Defined by"}, a.commandRows(p, []string{"setup", "install", "build", "run", "dev", "test", "test-one", "lint"}, 3))
	if len(a.ranked("test-one")) > 0 {
		return
	}
	if one := a.oneTest(p); one.text.plain != "" {
		p.blank()
		p.items([]item{one}, func(int) string { return "" })
	}
}

// commandRows are the rows for some purposes, at most limit for each.
func (a *atlas) commandRows(p *page, only []string, limit int) []row {
	var rows []row
	for _, purpose := range purposes {
		if !slices.Contains(only, purpose.key) {
			continue
		}
		n := 0
		seen := make(map[string]bool)
		for _, c := range a.ranked(purpose.key) {
			key := c.Dir + "\x00" + c.Line
			few := limit < 5 // the quickstart
			if few && purpose.key == "setup" && c.Dir != "." && c.Dir != "" {
				continue // of one part
			}
			if aside(c.Dir) && n > 0 || few && depth(c.Dir) > 2 || few && n > 0 && c.Dir != "." && c.Dir != "" {
				continue // the quickstart shows the commands of the root where there are some
			}
			if n == limit || seen[key] || c.Ref.Path == "" || strings.TrimSpace(c.Line) == "" {
				continue
			}
			seen[key] = true
			n++
			rows = append(rows, a.commandRow(p, purpose.words, c))
		}
	}
	return rows
}

// aside reports whether a directory is beside the product: its examples, documentation or test data.
func aside(dir string) bool {
	for _, s := range strings.Split(strings.ToLower(dir), "/") {
		switch s {
		case "__tests__", "__snapshots__", "example", "examples", "doc", "docs", "documentation", "test", "tests", "testdata", "fixtures", "playground", "bench", "benchmarks", "e2e", "demo", "demos":
			return true
		}
		if strings.HasPrefix(s, "template-") {
			return true
		}
	}
	return false
}

func (a *atlas) commandRow(p *page, verb string, c survey.Command) row {
	shown := label(c.Line)
	if c.After != "" {
		shown = compose("{}, then {}", label(c.After), shown)
	}
	claim := compose("{}: {} ({})", words(verb), text{plain: shown.plain}, words(c.Source))
	if c.Dir != "" && c.Dir != "." {
		shown = compose("{} in {}", shown, p.folder(c.Dir))
		claim = compose("{} in {}", claim, label(c.Dir))
	}
	if c.Runs != "" && clean(c.Runs) != clean(c.Line) {
		if r := c.Runs[0]; c.Source == "tox environment" || r >= 'A' && r <= 'Z' && strings.HasSuffix(c.Runs, ".") { // what the author says about it
			shown, claim = compose("{}: {}", shown, quote(c.Runs)), compose("{}: {}", claim, quote(c.Runs))
		} else {
			shown, claim = compose("{}, which runs {}", shown, label(c.Runs)), compose("{}, which runs {}", claim, label(c.Runs))
		}
	}
	return row{
		cells: []text{words(verb), shown, p.linked(quote(c.Source), c.Ref)},
		claim: compose("{}.", claim), refs: []survey.Ref{c.Ref},
	}
}

// sensible leaves out commands whose words say that they do something else than their purpose: an upgrade is no installation, and the
// installation of a tool in CI is not that of the product.
func (a *atlas) sensible(c survey.Command) bool {
	line := strings.ToLower(c.Line)
	switch c.Purpose {
	case "setup", "install", "generate", "build":
		for _, w := range []string{"upgrade", "update-all", "bump", "update-go", "update-npm", "composer update"} {
			if strings.Contains(line, w) {
				return false
			}
		}
		if c.Purpose != "install" && c.Purpose != "setup" {
			return true
		}
		tool := strings.HasPrefix(line, "make install-") || strings.HasPrefix(line, "make install_")
		if tool && !strings.Contains(line, "dep") {
			return false
		}
		return !strings.Contains(c.Source, "CI") || !strings.Contains(line, "@") && len(strings.Fields(line)) <= 3
	case "test", "test-one":
		return !strings.HasSuffix(line, " install")
	case "release":
		return !strings.Contains(strings.ToLower(c.Runs), "test")
	}
	return true
}

// ranked are the commands for a purpose: those for the whole repository first, those of scripts and Makefiles before CI steps and README.
func (a *atlas) ranked(purpose string) []survey.Command {
	var out []survey.Command
	for _, c := range a.repo.Commands {
		if c.Purpose == purpose && a.sensible(c) {
			out = append(out, c)
		}
	}
	weigh := func(c survey.Command) int {
		w := 0
		if c.Dir != "." && c.Dir != "" {
			w += 10
		}
		switch {
		case strings.Contains(c.Source, "CI"):
			w += 4
		case strings.Contains(c.Source, "README"), strings.Contains(c.Source, "doc"):
			w += 2
		}
		if words := strings.Fields(c.Line); len(words) > 0 && words[len(words)-1] != purpose {
			w++ // "make test" before "make test-race"
		}
		return w
	}
	slices.SortStableFunc(out, func(x, y survey.Command) int {
		if d := weigh(x) - weigh(y); d != 0 {
			return d
		}
		return strings.Compare(x.Dir+"\x00"+x.Line, y.Dir+"\x00"+y.Line)
	})
	return out
}
