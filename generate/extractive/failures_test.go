package extractive

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every branch that ends a program under a status is told, also the one for success and the last one, which has no condition of its own.
func TestExitRows(t *testing.T) {
	a, c := manyFiles(map[string]string{"src/main.rs": `fn run() -> Result<ExitCode> {
    let matched = match mode() {
        Mode::Index(_) => {
            return Ok(ExitCode::from(0));
        }
        Mode::Search => search()?,
    };
    Ok(if matched && quiet() {
        ExitCode::from(0)
    } else if errored() {
        ExitCode::from(2)
    } else {
        ExitCode::from(1)
    })
}
`})
	p := newPage(a.src, "openwiki/a.md")
	rows := a.exitRows(p, c, 10)
	var got []string
	for _, r := range rows {
		got = append(got, r.claim.plain)
		if !p.prove(r.claim, r.refs) {
			t.Errorf("not proved: %s", r.claim.plain)
		}
	}
	want := []string{
		"run names the exit status 0 after Mode::Index(_) =>.",
		"run names the exit status 0 after if matched && quiet().",
		"run names the exit status 2 after else if errored().",
		"run names the exit status 1 after else if errored() and its last else.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if md := rows[3].cells[2].md; !strings.Contains(md, "`else if errored()` and its last `else`") {
		t.Errorf("cell %q", md)
	}
}
