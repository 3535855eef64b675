package evaluate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/scan"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// A Score tells how far a wiki keeps to its source. It counts what can be counted: whether a sentence is worth reading is for people.
type Score struct {
	Pages    int `json:"pages"`
	Claims   int `json:"claims"`
	Faithful int `json:"faithful" jsonschema:"Claims whose cited lines are there and hold a name that the statement spells, if it spells any"`
	Files    int `json:"files" jsonschema:"source files that declare something and are neither tests nor generated"`
	Cited    int `json:"cited" jsonschema:"of these, those that a Claim cites"`
	// Doubtful are the first Claims that are not faithful, with what is wrong.
	Doubtful []string `json:"doubtful"`
}

// maxDoubtful bounds what is listed of one wiki.
const maxDoubtful = 20

// Measure scores the wiki in a work tree as it stands. A wiki that is not there has no pages.
func Measure(ctx context.Context, dir, wikiDir string) (score *Score, err error) {
	repo, err := gitrepo.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	files, err := atomicfile.Open(repo.Root)
	if err != nil {
		return nil, fmt.Errorf("open the checkout: %w", err)
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	src, err := source.Open(ctx, repo, files, wikiDir)
	if err != nil {
		return nil, err
	}
	place, err := wiki.ParseDir(wikiDir)
	if err != nil {
		return nil, err
	}
	w, err := wiki.Open(files, place)
	if err != nil {
		return nil, err
	}
	m := &measuring{src: src, score: &Score{Doubtful: []string{}}, lines: map[string][]string{}, cited: map[string]bool{}}
	if err := m.claims(claims.NewStore(w)); err != nil {
		return nil, err
	}
	return m.score, m.coverage(ctx)
}

type measuring struct {
	src   *source.Source
	score *Score
	lines map[string][]string // of the files that are cited; nil where one cannot be read
	cited map[string]bool
}

func (m *measuring) claims(store *claims.Store) error {
	pages, err := store.Pages()
	if err != nil {
		return err
	}
	for _, page := range pages {
		stored, err := store.Load(page)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		m.score.Pages++
		for _, c := range stored.Claims {
			m.score.Claims++
			if problem := m.problem(c); problem == "" {
				m.score.Faithful++
			} else if len(m.score.Doubtful) < maxDoubtful {
				m.score.Doubtful = append(m.score.Doubtful, fmt.Sprintf("%s: %s: %s", page, c.Statement, problem))
			}
		}
	}
	return nil
}

// problem says why a Claim is not faithful.
func (m *measuring) problem(c claims.Claim) string {
	var text strings.Builder
	for _, e := range c.Evidence {
		res, err := evidence.Parse(e.Resource, m.src.WikiDir())
		if err != nil {
			return err.Error()
		}
		lines := m.read(res.Path)
		switch {
		case lines == nil:
			return "there is no " + res.Path
		case res.End > len(lines):
			return fmt.Sprintf("%s has only %d lines", res.Path, len(lines))
		case res.Start > 0:
			lines = lines[res.Start-1 : res.End]
		}
		m.cited[res.Path] = true
		text.WriteString(strings.Join(lines, "\n") + "\n" + e.Resource + "\n")
	}
	if missing := claims.MissingNames(c.Statement, text.String()); missing != "" {
		return "the cited lines do not hold " + missing
	}
	return ""
}

func (m *measuring) read(path string) []string {
	lines, ok := m.lines[path]
	if !ok {
		if data, err := m.src.Read(path); err == nil {
			lines = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
		}
		m.lines[path] = lines
	}
	return lines
}

// coverage counts the files that a wiki could be about.
func (m *measuring) coverage(ctx context.Context) error {
	all, err := m.src.Files(ctx)
	if err != nil {
		return fmt.Errorf("list source files: %w", err)
	}
	var paths []string
	for _, f := range all {
		if f.Kind == source.Regular && evidence.CanCite(f.Path, m.src.WikiDir()) {
			paths = append(paths, f.Path)
		}
	}
	return m.src.ScanEach(ctx, paths, 1, func(i int, data []byte, err error) error {
		if err != nil {
			return nil // it cannot be read by anybody else either
		}
		if f := scan.Source(paths[i], data); len(f.Decls) > 0 && !f.IsTest && !f.Generated {
			m.score.Files++
			if m.cited[paths[i]] {
				m.score.Cited++
			}
		}
		return nil
	})
}
