package survey

import (
	"path"
	"sort"
	"strings"
)

// A Group is a family of files in one large flat directory that carry a common first word: cluster.c, cluster_legacy.c and cluster.h.
type Group struct {
	Name  string   // as a pattern: "cluster*", "t_*"
	Files []string // by path
	Doc   Fact     // what the authors' documents say of all of those that they speak of; Text "" where they say several things or nothing
}

// Flat directories have no inner order that their paths could show. Only there, and only for families of several units, names are read.
const (
	flatFiles  = 40
	groupFiles = 3
	groupUnits = 2
)

// groups finds the families of files in the packages of a component that are large and flat.
func groups(repo *Repository, c *Component) []Group {
	var out []Group
	for _, p := range c.Packages {
		if len(p.Files) < flatFiles || sideRole(p.Role) {
			continue
		}
		members, units := map[string][]string{}, map[string]map[string]bool{}
		for _, name := range p.Files {
			stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
			word := firstWord(stem)
			members[word] = append(members[word], name)
			if units[word] == nil {
				units[word] = map[string]bool{}
			}
			units[word][stem] = true
		}
		for _, word := range sortedKeys(members) {
			files := members[word]
			if word == "" || len(files) < groupFiles || len(units[word]) < groupUnits {
				continue
			}
			sort.Strings(files)
			out = append(out, Group{Name: pattern(word, files), Files: files, Doc: sharedWords(repo, files)})
		}
	}
	return out
}

// firstWord returns what stands before the first mark of a file name, or the whole stem where it has none.
func firstWord(stem string) string {
	if at := strings.IndexAny(stem, "_-."); at > 0 {
		return stem[:at]
	}
	return strings.TrimRight(stem, "0123456789")
}

func pattern(word string, files []string) string {
	for _, mark := range []string{"_", "-"} {
		all := true
		for _, f := range files {
			all = all && strings.HasPrefix(path.Base(f), word+mark)
		}
		if all {
			return word + mark + "*"
		}
	}
	return word + "*"
}

// sharedWords returns the one sentence that is told of the files of a group.
func sharedWords(repo *Repository, files []string) Fact {
	var doc Fact
	for _, f := range files {
		switch told := repo.Told[f]; {
		case told.Text == "" || told == doc:
		case doc.Text == "":
			doc = told
		default:
			return Fact{}
		}
	}
	return doc
}
