package publish

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

// Random wikis on a random base: all back ends agree with each other and with a map from paths to contents.
func TestCommit_random(t *testing.T) {
	t.Parallel()
	const seed = "-- README.md --\nreadme\n"
	for run := range uint64(2) {
		random := rand.New(rand.NewPCG(run, 7))
		repository := gittest.FromTxtar(t, seed)
		benches := []*bench{newBench(t, "api", repository, full), newBench(t, "push", repository, full), newBench(t, "push", repository, shallow)}
		base := map[string]string{"README.md": "readme\n"}
		heads := make([]string, len(benches))
		for step := range 8 {
			if step%3 == 2 {
				path := randomPath(random)
				if !fits(base, path) {
					continue
				}
				base[path] = fmt.Sprint(run, step)
				for _, b := range benches {
					b.base = b.gh.Push(githubtest.PersonCommit{Branch: "main", Author: "ada", Files: map[string]string{path: base[path]}})
				}
			}
			changes := randomChanges(random, base)
			want, legal := applied(base, changes)
			for i, b := range benches {
				req := b.request(changes...)
				req.Expect = heads[i]
				commit, err := b.Commit(t.Context(), req)
				switch {
				case !legal && !errors.Is(err, gitrepo.ErrEdit), legal && maps.Equal(want, base) && !errors.Is(err, ErrNothing):
					t.Fatalf("run %d, step %d, bench %d: %v for %s", run, step, i, err, describe(changes))
				case !legal || maps.Equal(want, base):
					continue
				case err != nil:
					t.Fatalf("run %d, step %d, bench %d: %v for %s", run, step, i, err, describe(changes))
				}
				heads[i] = commit.SHA
				if diff := cmp.Diff(listing(want), b.files(t, commit.SHA)); diff != "" {
					t.Fatalf("run %d, step %d, bench %d: %s (-want +got):\n%s", run, step, i, describe(changes), diff)
				}
			}
		}
		for _, b := range benches {
			b.gh.NeverEqualsBase("openwiki/update", "main")
		}
	}
}

// listing is what git ls-tree prints for files.
func listing(files map[string]string) string {
	var lines []string
	for _, path := range slices.Sorted(maps.Keys(files)) {
		sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(files[path]), files[path]))
		lines = append(lines, fmt.Sprintf("100644 blob %x\t%s", sum, path))
	}
	return strings.Join(lines, "\n")
}

func describe(changes []Change) string {
	parts := make([]string, len(changes))
	for i, change := range changes {
		parts[i] = fmt.Sprintf("%q", change.Path)
		if change.Delete {
			parts[i] = "-" + parts[i]
		}
	}
	return strings.Join(parts, " ")
}

// randomPath has few names, so that files and directories clash often.
func randomPath(random *rand.Rand) string {
	names := []string{"a", "b", "ä", "a.b", "a-b"}
	parts := make([]string, 1+random.IntN(3))
	for i := range parts {
		parts[i] = names[random.IntN(len(names))]
	}
	return strings.Join(parts, "/")
}

func randomChanges(random *rand.Rand, base map[string]string) []Change {
	contents := []string{"", "text\n", "größer\r\n", "\xff\x00", "a\x00b", base["README.md"]}
	changes := map[string]Change{}
	for range 1 + random.IntN(6) {
		path := randomPath(random)
		if random.IntN(5) == 0 {
			all := slices.Sorted(maps.Keys(base))
			path = all[random.IntN(len(all))]
		}
		if path == "README.md" {
			continue
		}
		if random.IntN(3) == 0 {
			changes[path] = drop(path)
		} else {
			changes[path] = set(path, contents[random.IntN(len(contents))])
		}
	}
	return slices.SortedFunc(maps.Values(changes), func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
}

// fits tells whether a path can be added without replacing anything.
func fits(files map[string]string, path string) bool {
	for other := range files {
		if other == path || strings.HasPrefix(other, path+"/") || strings.HasPrefix(path, other+"/") {
			return false
		}
	}
	return true
}

// applied is what the changes make of files; legal is false when they make no tree.
func applied(files map[string]string, changes []Change) (after map[string]string, legal bool) {
	after = maps.Clone(files)
	below := func(path string) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(f string) bool { return strings.HasPrefix(f, path+"/") })
	}
	for _, change := range changes {
		if change.Delete && below(change.Path) {
			return nil, false
		}
		delete(after, change.Path)
	}
	for _, change := range changes {
		if change.Delete {
			continue
		}
		for other := range after {
			clash := strings.HasPrefix(other, change.Path+"/") || strings.HasPrefix(change.Path, other+"/")
			if !clash {
				continue
			}
			if slices.ContainsFunc(changes, func(c Change) bool { return !c.Delete && c.Path == other }) {
				return nil, false
			}
			delete(after, other)
		}
		after[change.Path] = string(change.Data)
	}
	return after, true
}

// BenchmarkCommit publishes 3,000 pages of 1 KiB as a new branch.
func BenchmarkCommit(b *testing.B) {
	changes := manyFiles(3000)
	for _, test := range []struct {
		name, kind string
		checkout   func(*gittest.Repo) *gittest.Repo
	}{{"api", "api", full}, {"push", "push", full}, {"push-shallow", "push", shallow}} {
		b.Run(test.name, func(b *testing.B) {
			seed := gittest.FromTxtar(b, commitSeed)
			for b.Loop() {
				b.StopTimer()
				bench := newBench(b, test.kind, seed, test.checkout)
				b.StartTimer()
				if _, err := bench.Commit(b.Context(), bench.request(changes...)); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(bench.gh.APICalls()), "calls")
			}
		})
	}
}
