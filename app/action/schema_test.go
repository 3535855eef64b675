package action

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

var update = flag.Bool("update", false, "write the published schema anew")

// The published schema is derived from the type.
func TestReportSchema(t *testing.T) {
	schema, err := jsonschema.For[Report](nil)
	if err != nil {
		t.Fatal(err)
	}
	schema.Title, schema.Schema = "Report of a job of the Wikiwright Action", "https://json-schema.org/draft/2020-12/schema"
	got, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	name := filepath.Join("..", "..", "docs", "report.schema.json")
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
		t.Errorf("%s does not describe the type (-published +type); go test ./app/action -update writes it:\n%s", name, diff)
	}
}
