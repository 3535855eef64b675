package impact

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func sample() *Report {
	return &Report{
		SchemaVersion: 1, Exists: true, Base: strings.Repeat("1", 40), Head: strings.Repeat("2", 40), ChangedFiles: 2,
		Pages: []Page{{Path: "/openwiki/a.md", Title: "A", Edited: true, Findings: []Finding{}}, {Path: "/openwiki/core.md", Title: "Core", Edited: true, Findings: []Finding{
			{Claim: "c1", Statement: "It adds.", Resource: "repo://src/a b.go#L1-L2", State: Changed, File: "src/a b.go", Line: 2},
			{Claim: "c1", Statement: "It adds.", Resource: "repo://src/c.go#L7", State: Changed, File: "src/c.go", Line: 7},
			{Claim: "c2", Statement: "It is there.", Resource: "repo://gone.go", State: Missing, File: "gone.go"},
		}}},
		Totals: Totals{Claims: 9, Stale: 2, Moved: 3, StaleBefore: 1},
	}
}

func TestText(t *testing.T) {
	var b strings.Builder
	sample().Text(&b)
	want := `the change 1111111111..2222222222 makes 2 of 9 statements on 1 page stale (3 cited in other lines now, 1 of changed files stale before)

/openwiki/core.md (edited by the change)
  src/a b.go:2 changed and 1 more place: It adds.
  gone.go missing: It is there.

edited by the change, with nothing made stale:
  /openwiki/a.md
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMarkdown(t *testing.T) {
	got := sample().Markdown(func(file string, line int) string {
		return "https://host/" + EscapePath(file) + fmt.Sprintf("#L%d", line)
	}, "")
	want := `## Wiki: the change 1111111111..2222222222 makes 2 of 9 statements on 1 page stale (3 cited in other lines now, 1 of changed files stale before)

The next update of the wiki writes these statements again. Nothing has to be done in this change.

<details><summary>Core: 2 statements, edited by the change</summary>

| Statement | Evidence | Change |
| --- | --- | --- |
| It adds. | src/a b.go#&#8203;L1-L2 and 1 more | changed at [src/a b.go:2](https://host/src/a%20b.go#L2) |
| It is there. | gone.go | missing at gone.go |

</details>

Edited by the change, with nothing made stale: A.
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnnotations(t *testing.T) {
	r := sample()
	r.Pages[1].Findings[1].File, r.Pages[1].Findings[1].Line = "src/a b.go", 2
	for i := range 12 {
		r.Pages[1].Findings = append(r.Pages[1].Findings, Finding{Claim: "x", Statement: "More.", File: "more.go", Line: i + 1})
	}
	list, more := r.Annotations()
	if len(list) != 10 || more != 4 {
		t.Fatalf("%d annotations and %d more, want 10 and 4", len(list), more)
	}
	want := Annotation{File: "src/a b.go", Line: 2, Title: "The wiki cites this", Message: "/openwiki/core.md says: It adds. (and 1 statement more)"}
	if diff := cmp.Diff(want, list[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSARIF(t *testing.T) {
	data, err := sample().SARIF("1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, Version string
					Rules         []struct{ ID string }
				}
			}
			Results []struct {
				RuleID, Level string
				RuleIndex     int
				Message       struct{ Text string }
				Locations     []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
				PartialFingerprints map[string]string
			}
		}
	}
	if err := json.Unmarshal(data, &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Version != "1.2.3" || len(log.Runs[0].Results) != 3 {
		t.Fatalf("log %+v", log)
	}
	run := log.Runs[0]
	for i, want := range []string{
		"wiki-statement-changed src/a%20b.go:2 /openwiki/core.md says: It adds. [c1 repo://src/a b.go#L1-L2]",
		"wiki-statement-changed src/c.go:7 /openwiki/core.md says: It adds. [c1 repo://src/c.go#L7]",
		"wiki-evidence-missing gone.go:1 /openwiki/core.md says: It is there. [c2 repo://gone.go]",
	} {
		r := run.Results[i]
		place := r.Locations[0].PhysicalLocation
		got := fmt.Sprintf("%s %s:%d %s [%s]", r.RuleID, place.ArtifactLocation.URI, place.Region.StartLine, r.Message.Text, r.PartialFingerprints["wikiwrightClaim/v1"])
		if got != want || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || r.Level != "note" {
			t.Errorf("result %d: %s, want %s", i, got, want)
		}
	}
}

// What GitHub's summary has no room for is counted, and the text says where it is.
func TestMarkdown_long(t *testing.T) {
	r := &Report{SchemaVersion: 1, Exists: true, Base: strings.Repeat("1", 40), Head: strings.Repeat("2", 40)}
	const pages, claims = 2000, 20
	for i := range pages {
		page := Page{Path: fmt.Sprintf("/openwiki/%04d.md", i), Title: fmt.Sprintf("Page %d", i)}
		for c := range claims {
			page.Findings = append(page.Findings, Finding{Claim: fmt.Sprint(c), Statement: strings.Repeat("Wörter ", 60), Resource: "repo://a.go", State: Changed, File: "a.go", Line: 1})
		}
		r.Pages = append(r.Pages, page)
	}
	r.Totals = Totals{Claims: pages * claims, Stale: pages * claims}
	text := r.Markdown(func(string, int) string { return "https://host/a.go" }, "The report has them: /tmp/report.json.")
	shown := strings.Count(text, "<details>")
	if len(text) > 1_000_000 || shown < 50 || strings.Count(text, "</details>") != shown {
		t.Errorf("%d bytes, %d pages", len(text), shown)
	}
	want := fmt.Sprintf("\n… and %d statements on %d pages more. The report has them: /tmp/report.json.\n", (pages-shown)*claims, pages-shown)
	if !strings.HasSuffix(text, want) {
		t.Errorf("it ends in %q, want %q", text[len(text)-200:], want)
	}
}

// The log is one by the schema of the standard, whatever a statement or a path holds, and no text of it is a link or hidden.
func TestSARIF_schema(t *testing.T) {
	schema := sarifSchema(t)
	hostile := sample()
	for i, text := range []string{"::error::x\n%0A", "a\u202eb\u200b\u0007c", "[here](https://evil.example) {0}", strings.Repeat("x", 20_000)} {
		hostile.Pages[1].Findings = append(hostile.Pages[1].Findings,
			Finding{Claim: "h" + fmt.Sprint(i), Statement: text, Resource: "repo://" + EscapePath(text), State: Changed, File: "dir/" + text, Line: i})
	}
	for name, r := range map[string]*Report{"sample": sample(), "hostile": hostile, "empty": {SchemaVersion: 1, Pages: []Page{}}} {
		data, err := r.SARIF("1.2.3")
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, active := range []string{"\u202e", "\u200b", `\u0007`, "says: [here](https"} {
			if strings.Contains(string(data), active) {
				t.Errorf("%s: %q is in the log", name, active)
			}
		}
	}
	// The schema refuses what is no log: it does look.
	broken, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"version":"2.1.0","runs":[{"tool":{"driver":{}},"results":[{"message":{"text":1}}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if schema.Validate(broken) == nil {
		t.Error("a driver without a name is valid")
	}
}

// sarifSchema is the schema of the standard.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "sarif-2.1.0-rtm.5.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	const name = "https://json.schemastore.org/sarif-2.1.0-rtm.5.json"
	delete(value.(map[string]any), "id")
	if err := compiler.AddResource(name, value); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// Statements and paths come from a repository: they are no markup and steer nothing.
func TestRender_hostile(t *testing.T) {
	r := sample()
	f := &r.Pages[1].Findings[0]
	f.Statement, f.File = "@team fixes #1 </details> | `x`\n::error::y \x1b[31m", "a|b\n::warning::x(1).go"
	r.Pages[1].Title = "<script>"
	text := r.Markdown(func(file string, _ int) string { return "https://host/" + EscapePath(file) }, "<b>")
	for _, active := range []string{"@team", "fixes #1", "<script>", "\n::", "\x1b"} {
		if strings.Contains(text, active) {
			t.Errorf("%q is in\n%s", active, text)
		}
	}
	if n := strings.Count(text, "</details>"); n != 1 {
		t.Errorf("%d ends of details", n)
	}
	var b strings.Builder
	r.Text(&b)
	if got := b.String(); strings.Contains(got, "\x1b") || strings.Contains(got, "\n::") {
		t.Errorf("text %q", got)
	}
}
