package survey

import (
	"sort"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

const (
	bigCommit   = 40 // a commit that touches more files is a sweep and says nothing about what belongs together
	hotFiles    = 12
	hotParts    = 6
	leastChange = 4  // commits before something counts as changing often
	leastSeen   = 30 // commits before there is a habit to speak of
)

// hotSpots finds the source files and the components that recent commits changed most, and what changed together with them. It only counts
// files that still exist, are written by hand and are part of the product; in a quiet year it finds nothing.
func hotSpots(repo *Repository, commits []gitrepo.CommitFiles) []HotSpot {
	if len(commits) < leastSeen {
		return nil
	}
	owner := map[string]string{}
	for _, c := range repo.Components {
		for _, p := range c.Packages {
			if sideRole(p.Role) {
				continue
			}
			for _, f := range p.Files {
				if file := repo.Files[f]; file == nil || !file.Generated {
					owner[f] = c.ID
				}
			}
		}
	}
	files, parts := newPairs(), newPairs()
	for _, c := range commits {
		if len(c.Paths) > bigCommit {
			continue
		}
		changedFiles, changedParts := map[string]bool{}, map[string]bool{}
		for _, p := range c.Paths {
			if id, ok := owner[p]; ok {
				changedFiles[p], changedParts[id] = true, true
			}
		}
		files.add(sortedKeys(changedFiles))
		parts.add(sortedKeys(changedParts))
	}
	out := parts.top(hotParts)
	for i := range out {
		out[i].Component = true
	}
	if len(repo.Components) < 2 {
		out = nil
	}
	return append(out, files.top(hotFiles)...)
}

// pairs counts how often names change, alone and together.
type pairs struct {
	count map[string]int
	with  map[string]map[string]int
}

func newPairs() *pairs {
	return &pairs{count: map[string]int{}, with: map[string]map[string]int{}}
}

func (p *pairs) add(names []string) {
	for _, a := range names {
		p.count[a]++
		for _, b := range names {
			if a == b {
				continue
			}
			if p.with[a] == nil {
				p.with[a] = map[string]int{}
			}
			p.with[a][b]++
		}
	}
}

// top returns the names that change most, by count and name. What changes with a name in a third of its changes is named beside it.
func (p *pairs) top(limit int) []HotSpot {
	names := sortedKeys(p.count)
	sort.SliceStable(names, func(i, j int) bool { return p.count[names[i]] > p.count[names[j]] })
	var out []HotSpot
	for _, name := range names {
		if len(out) == limit || p.count[name] < leastChange {
			break
		}
		out = append(out, HotSpot{Path: name, With: p.companions(name)})
	}
	return out
}

func (p *pairs) companions(name string) []string {
	with := p.with[name]
	names := sortedKeys(with)
	sort.SliceStable(names, func(i, j int) bool { return with[names[i]] > with[names[j]] })
	var out []string
	for _, other := range names {
		if len(out) < 3 && with[other] >= 3 && with[other]*3 >= p.count[name] {
			out = append(out, other)
		}
	}
	return out
}
