package app

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/wikiwright/wikiwright/internal/impact"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

var update = flag.Bool("update", false, "write the published schemas anew")

// The published schemas are derived from the types, and what the program prints is valid under them.
func TestSchemas(t *testing.T) {
	for _, test := range []struct {
		file   string
		schema func() (*jsonschema.Schema, error)
		sample any
	}{
		{"result.schema.json", func() (*jsonschema.Schema, error) { return schemaFor[Result]("Result of a Wikiwright run") }, sampleResult()},
		{"status.schema.json", func() (*jsonschema.Schema, error) { return schemaFor[StatusResult]("State of a wiki") }, sampleStatus()},
		{"check.schema.json", func() (*jsonschema.Schema, error) {
			return schemaFor[impact.Report]("What a change makes stale in a wiki")
		}, sampleCheck()},
	} {
		schema, err := test.schema()
		if err != nil {
			t.Fatal(err)
		}
		checkPublished(t, filepath.Join("..", "docs", test.file), schema)
		checkValid(t, schema, test.sample)
	}
}

func schemaFor[T any](title string) (*jsonschema.Schema, error) {
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		return nil, err
	}
	schema.Title = title
	schema.Schema = "https://json-schema.org/draft/2020-12/schema"
	listsOnly(schema)
	return schema, nil
}

// listsOnly takes null out of the types: every list of a result is present, if empty.
func listsOnly(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	listsOnly(s.Items)
	for _, property := range s.Properties {
		listsOnly(property)
	}
}

func checkPublished(t *testing.T, name string, schema *jsonschema.Schema) {
	t.Helper()
	got, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s does not describe the type (-published +type); go test ./app -update writes it:\n%s", name, diff)
	}
}

func checkValid(t *testing.T, schema *jsonschema.Schema, sample any) {
	t.Helper()
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(sample)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(value); err != nil {
		t.Errorf("the printed object is not valid: %v\n%s", err, data)
	}
	value.(map[string]any)["surprise"] = true
	if err := resolved.Validate(value); err == nil {
		t.Error("an unknown key is accepted")
	}
}

func sampleResult() *Result {
	result := newResult(Job{Mode: "update"}, authorChoice{name: AuthorExtractive})
	result.Outcome = "partial"
	result.Pages = append(result.Pages, PageResult{Path: "/openwiki/a.md", State: "skipped", Change: "unchanged", Reason: "needs a model"})
	result.Findings = append(result.Findings, wiki.Finding{Kind: "broken_link", Page: "/openwiki/a.md", Line: 3, Message: "no such file"})
	result.Error = &ErrorResult{Code: "failed", Message: "x"}
	return result
}

func sampleStatus() *StatusResult {
	return &StatusResult{
		Baseline: &BaselineResult{}, Running: &RunningResult{Pages: []string{}}, Run: &RunResult{}, Pages: []PageStatus{{Path: "/openwiki/a.md"}},
		Issues: []IssueResult{{Resources: []string{"repo://a.go"}}}, Moved: []MoveResult{{From: "a", To: "b"}}, Notes: []string{},
	}
}

func sampleCheck() *impact.Report {
	return &impact.Report{
		SchemaVersion: 1, Exists: true, Base: "1111111111111111111111111111111111111111", Head: "2222222222222222222222222222222222222222", ChangedFiles: 1,
		Pages: []impact.Page{{Path: "/openwiki/a.md", Title: "A", Findings: []impact.Finding{
			{Claim: "c1", Statement: "It adds.", Resource: "repo://a.go#L1-L2", State: impact.Changed, File: "a.go", Line: 1},
			{Claim: "c2", Statement: "It is there.", Resource: "repo://b.go", State: impact.Missing, File: "b.go"},
		}}},
		Totals: impact.Totals{Claims: 2, Stale: 2},
	}
}
