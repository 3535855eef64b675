package wiki

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name, in    string
		wantType    string
		wantBody    string
		wantCodes   []string
		wantNoBlock bool
	}{
		{name: "valid", in: "---\ntype: X\n---\n\n# T\n", wantType: "X", wantBody: "\n# T\n"},
		{name: "valid crlf", in: "---\r\ntype: X\r\n---\r\nbody\r\n", wantType: "X", wantBody: "body\r\n"},
		{name: "ends at delimiter", in: "---\ntype: X\n---", wantType: "X"},
		{name: "no block", in: "# T\n", wantBody: "# T\n", wantCodes: []string{"missing_opening_delimiter"}, wantNoBlock: true},
		{name: "empty", in: "", wantCodes: []string{"missing_opening_delimiter"}, wantNoBlock: true},
		{name: "byte order mark", in: "\ufeff---\ntype: X\n---\n", wantType: "X", wantCodes: []string{"missing_opening_delimiter"}},
		{name: "leading blank lines", in: "\n \n---\ntype: X\n---\nb", wantType: "X", wantBody: "b", wantCodes: []string{"missing_opening_delimiter"}},
		{name: "loose delimiters", in: "--- \ntype: X\n---\t\nb", wantType: "X", wantBody: "b",
			wantCodes: []string{"missing_opening_delimiter", "missing_closing_delimiter"}},
		{name: "not closed", in: "---\ntype: X\ntitle: T\n\n# T\ntext\n", wantType: "X", wantBody: "\n# T\ntext\n",
			wantCodes: []string{"missing_closing_delimiter"}},
		{name: "not closed, break later", in: "---\ntype: X\n\n# T\ntext\n\n---\nmore\n", wantType: "X", wantBody: "\n# T\ntext\n\n---\nmore\n",
			wantCodes: []string{"missing_closing_delimiter"}},
		{name: "thematic break", in: "---\ntext: but no field\n\n# T\n", wantBody: "---\ntext: but no field\n\n# T\n",
			wantCodes: []string{"missing_closing_delimiter"}, wantNoBlock: true},
		{name: "prose between breaks", in: "---\njust words\n---\n# T\n", wantBody: "---\njust words\n---\n# T\n",
			wantCodes: []string{"invalid_yaml_root"}, wantNoBlock: true},
		{name: "empty block", in: "---\n---\nb", wantBody: "b", wantCodes: []string{"invalid_yaml_root"}},
		{name: "broken", in: "---\ntitle: A: b\n---\nb", wantBody: "b", wantCodes: []string{"invalid_yaml"}},
		{name: "duplicate key", in: "---\ntype: X\ntype: Y\n---\nb", wantBody: "b", wantCodes: []string{"invalid_yaml"}},
		{name: "nested duplicate key", in: "---\ntype: X\nx:\n  a: 1\n  a: 2\n---\nb", wantBody: "b", wantCodes: []string{"invalid_yaml"}},
		{name: "anchor in itself", in: "---\ntype: X\nx: &a [*a]\n---\nb", wantBody: "b", wantCodes: []string{"invalid_yaml"}},
		{name: "two documents", in: "---\ntype: X\n--- y\n---\nb", wantBody: "b", wantCodes: []string{"invalid_yaml"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := Parse([]byte(test.in))
			if got := d.String("type"); got != test.wantType {
				t.Errorf("type = %q, want %q", got, test.wantType)
			}
			if got := string(d.Body()); got != test.wantBody {
				t.Errorf("body = %q, want %q", got, test.wantBody)
			}
			var codes []string
			for _, issue := range d.Issues() {
				codes = append(codes, issue.Code)
			}
			if diff := cmp.Diff(test.wantCodes, codes); diff != "" {
				t.Errorf("issue codes (-want +got):\n%s", diff)
			}
			if d.hasBlock() == test.wantNoBlock {
				t.Errorf("hasBlock() = %v", d.hasBlock())
			}
		})
	}
}

func TestParse_aliases(t *testing.T) {
	page := func(n int) string {
		return "---\ntype: X\na: &a 1\nb: [" + strings.TrimSuffix(strings.Repeat("*a, ", n), ", ") + "]\n---\n"
	}
	if issues := Parse([]byte(page(100))).Issues(); len(issues) != 0 {
		t.Errorf("100 aliases: %v, want no issue", issues)
	}
	if issues := Parse([]byte(page(101))).Issues(); len(issues) != 1 || issues[0].Code != "invalid_yaml" {
		t.Errorf("101 aliases: %v, want invalid_yaml", issues)
	}
	bomb := "---\ntype: X\na: &a [1, 1]\n" + "b: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c]\n---\n"
	if issues := Parse([]byte(bomb)).Issues(); len(issues) != 1 || issues[0].Code != "invalid_yaml" {
		t.Errorf("nested aliases: %v, want invalid_yaml", issues)
	}
}

func TestDocument_Issues(t *testing.T) {
	page := "---\n" +
		"title: 5\n" + // line 2
		"description: \"  \"\n" +
		"resource: [a]\n" +
		"timestamp: true\n" +
		"tags: [a, 1, \"\"]\n" +
		"generated: yesterday\n" + // line 7
		"verified: {by: x, at: 2026-13-40T00:00:00Z}\n" +
		"sources: [{id: 1}]\n" +
		"status: final\n" +
		"stale_after: 2026-01-02\n" +
		"x_custom: [1, {a: null}]\n" +
		"---\n"
	var got []string
	for _, issue := range Parse([]byte(page)).Issues() {
		got = append(got, issue.Code+":"+string(rune('0'+issue.Line/10))+string(rune('0'+issue.Line%10)))
	}
	want := []string{
		"missing_type:02", "invalid_title:02", "invalid_description:03", "invalid_resource:04", "invalid_timestamp:05", "invalid_tags:06",
		"invalid_generated:07", "invalid_verified:08", "invalid_sources:09", "invalid_status:10", "invalid_stale_after:11",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("issues (-want +got):\n%s", diff)
	}
}

func TestDocument_validValues(t *testing.T) {
	for _, field := range []string{
		"title: 'x'", "title: yes", "title: 1_000", "title: 2026-01-02", "title: a#b", "title: x # note", "title: |\n  a", "title: >-\n  a\n  b",
		"timestamp: 2026-13-40", "timestamp: 2026-01-02T03:04:05Z", "tags: []", "tags: [a, b]", "tags:\n- a\n- b",
		"generated: {by: x}", "generated: { by: \"x\", at: \"2030-01-02T03:04:05.678Z\" }", "generated:\n  by: x\n  at: 2030-01-02T03:04:05+02:00",
		"verified: {by: x}", "verified: []", "verified:\n  - by: x\n    note: kept",
		"sources: []", "sources: [{resource: a, x: {y: 1}}]", "status: draft", "stale_after: 2028-02-29T23:59:59-23:59",
		"x: &a [1]\ny: *a",
	} {
		if issues := Parse([]byte("---\ntype: X\n" + field + "\n---\n")).Issues(); len(issues) != 0 {
			t.Errorf("%q: %v, want no issues", field, issues)
		}
	}
}

func TestIsDateTime(t *testing.T) {
	for _, good := range []string{
		"2030-01-02T03:04:05Z", "2030-01-02T03:04:05.6Z", "2030-01-02T03:04:05.678901234Z", "2028-02-29T00:00:00Z", "2000-02-29T00:00:00Z",
		"2030-12-31T23:59:59+23:59", "2030-01-02T03:04:05-00:00", "0001-01-01T00:00:00Z",
	} {
		if !isDateTime(good) {
			t.Errorf("isDateTime(%q) = false", good)
		}
	}
	for _, bad := range []string{
		"", "2030-01-02", "2030-01-02T03:04:05", "2030-01-02 03:04:05Z", "2030-01-02T03:04Z", "2030-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
		"2030-04-31T00:00:00Z", "2030-13-01T00:00:00Z", "2030-00-01T00:00:00Z", "2030-01-00T00:00:00Z", "2030-01-02T24:00:00Z",
		"2030-01-02T23:60:00Z", "2030-01-02T23:00:60Z", "2030-01-02T03:04:05.Z", "2030-01-02T03:04:05+24:00", "2030-01-02T03:04:05+01:60",
		"2030-01-02T03:04:05+0100", "2030-01-02T03:04:05z", "2030-01-02T03:04:05Z ", "x030-01-02T03:04:05Z",
	} {
		if isDateTime(bad) {
			t.Errorf("isDateTime(%q) = true", bad)
		}
	}
}

func TestDocument_events(t *testing.T) {
	d := Parse([]byte("---\ntype: X\ntags: [a, 1, b]\ngenerated: {by: openwiki/1, at: 2030-01-02T03:04:05.678Z}\nverified:\n  - by: a\n  - by: 7\n" +
		"  - {by: b, at: 2030-01-02T03:04:05Z}\nsources:\n  - resource: r\n    id: i\n  - id: x\n---\nb"))
	generated, ok := d.Generated()
	if want := (Event{By: "openwiki/1", At: "2030-01-02T03:04:05.678Z"}); !ok || generated != want {
		t.Errorf("Generated() = %v, %v, want %v", generated, ok, want)
	}
	if diff := cmp.Diff([]Event{{By: "a"}, {By: "b", At: "2030-01-02T03:04:05Z"}}, d.Verified()); diff != "" {
		t.Errorf("Verified() (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]SourceEntry{{ID: "i", Resource: "r"}}, d.Sources()); diff != "" {
		t.Errorf("Sources() (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b"}, d.Strings("tags")); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	if got, want := d.BodyHash(), "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"; got != want {
		t.Errorf("BodyHash() = %s, want %s", got, want)
	}
}
