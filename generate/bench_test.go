package generate_test

import (
	"fmt"
	"os/exec"
	"testing"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/generatetest"
)

// manyFiles returns the archive of a repository with n source files.
func manyFiles(n int) string {
	archive := "-- README.md --\n# demo\n"
	for i := range n {
		archive += fmt.Sprintf("-- src/f%04d.go --\npackage src\n\n// F%d does.\nfunc F%d() int { return %d }\n", i, i, i, i)
	}
	return archive
}

func manyPages(n int) generate.Proposal {
	p := proposal(generatetest.PlanPage("quickstart", "README.md"))
	for i := range n - 1 {
		p.Pages = append(p.Pages, generatetest.PlanPage(fmt.Sprintf("part%02d/page%04d", i%20, i), fmt.Sprintf("src/f%04d.go", i)))
	}
	return p
}

// BenchmarkSubmitPage measures the admission of one page, everything durable,
// in a wiki of that many pages. It must not grow with the wiki.
func BenchmarkSubmitPage(b *testing.B) {
	for _, pages := range []int{10, 1000} {
		b.Run(fmt.Sprintf("pages=%d", pages), func(b *testing.B) {
			b.StopTimer()
			for done := 0; done < b.N; {
				done += benchmarkSubmit(b, pages, b.N-done)
			}
		})
	}
}

// benchmarkSubmit starts a run of pages pages and times the submission of at
// most limit of them.
func benchmarkSubmit(b *testing.B, pages, limit int) int {
	c := generatetest.NewRepo(b, manyFiles(pages))
	run, _, err := generate.Begin(b.Context(), c.Options(generate.ModeInit, nil))
	if err != nil {
		b.Fatal(err)
	}
	defer run.Close()
	if err := run.SubmitPlan(b.Context(), manyPages(pages)); err != nil {
		b.Fatal(err)
	}
	// What setting up left unwritten must not be flushed on the clock.
	if err := exec.CommandContext(b.Context(), "sync").Run(); err != nil {
		b.Log("no sync: ", err)
	}
	done := 0
	for ; done < limit && done < pages; done++ {
		job, err := run.NextPage(nil)
		if err != nil {
			b.Fatal(err)
		}
		page, err := run.StartPage(b.Context(), job.ID)
		if err != nil {
			b.Fatal(err)
		}
		text, decisions, err := generatetest.Compose(page)
		if err != nil {
			b.Fatal(err)
		}
		if err := page.Workspace.WritePage(page.Job.Path, []byte(text)); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		err = page.Submit(b.Context(), decisions)
		b.StopTimer()
		if err != nil {
			b.Fatal(err)
		}
	}
	return done
}

// BenchmarkNoop measures an update that has nothing to do, and for comparison
// one git status of the same tree.
func BenchmarkNoop(b *testing.B) {
	for _, size := range []struct{ files, pages int }{{100, 10}, {2000, 40}, {2000, 400}} {
		c := generatetest.NewRepo(b, manyFiles(size.files))
		if _, err := c.Do(generate.ModeInit, &generatetest.Author{Proposal: manyPages(size.pages)}); err != nil {
			b.Fatal(err)
		}
		c.Commit("wiki")
		name := fmt.Sprintf("files=%d,pages=%d", size.files, size.pages)
		b.Run(name+"/update", func(b *testing.B) {
			opt := c.Options(generate.ModeUpdate, nil)
			for b.Loop() {
				if out, err := generate.Do(b.Context(), opt); err != nil || out.Kind != generate.OutcomeNoop {
					b.Fatalf("got %+v, %v, want a no-op", out, err)
				}
			}
		})
		b.Run(name+"/git-status", func(b *testing.B) {
			for b.Loop() {
				if err := exec.CommandContext(b.Context(), "git", "-C", c.Dir, "status", "-uno", "--porcelain").Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
