package wiki

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// diagrams reads an archive of diagrams; its section names say what they show.
func diagrams(t *testing.T, name string) []txtar.File {
	t.Helper()
	data, err := os.ReadFile("testdata/mermaid/" + name)
	if err != nil {
		t.Fatal(err)
	}
	files := txtar.Parse(data).Files
	if len(files) == 0 {
		t.Fatalf("no diagrams in %s", name)
	}
	return files
}

func TestCheckMermaid_valid(t *testing.T) {
	for _, file := range diagrams(t, "valid.txt") {
		page := "# T\n\n```mermaid\n" + string(file.Data) + "```\n"
		out, findings := CheckMermaid([]byte(page))
		if string(out) != page || len(findings) != 0 {
			t.Errorf("%s: %v", file.Name, findings)
		}
	}
}

func TestCheckMermaid_invalid(t *testing.T) {
	for _, file := range diagrams(t, "invalid.txt") {
		problem := checkDiagram(strings.SplitAfter(strings.TrimSuffix(string(file.Data), "\n"), "\n"))
		if problem == nil {
			t.Errorf("no problem found, want %q", file.Name)
			continue
		}
		if got := strings.Join(strings.Fields("line "+string(rune('0'+problem.line))+": "+problem.message), " "); got != file.Name {
			t.Errorf("got  %q\nwant %q", got, file.Name)
		}
	}
}

func TestCheckMermaid_degrade(t *testing.T) {
	page := "# T\n\ntext\n````markdown\n```mermaid\ngraph TD\n end[x]\n```\n````\n- item\n  ```mermaid\n  graph TD\n   end[Stop]\n  ```\n\n~~~ Mermaid title\nflowchart LR\na --> b\n~~~\n"
	want := "# T\n\ntext\n````markdown\n```mermaid\ngraph TD\n end[x]\n```\n````\n- item\n" +
		"  <!-- openwiki: mermaid parse failed: line 2: end cannot be the name of a node. Fix the diagram, make the fence mermaid again, delete this note. -->\n" +
		"  *This diagram cannot be drawn: line 2: end cannot be the name of a node.*\n" +
		"  ```text\n  graph TD\n   end[Stop]\n  ```\n\n~~~ Mermaid title\nflowchart LR\na --> b\n~~~\n"
	out, findings := CheckMermaid([]byte(page))
	if string(out) != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	wantFinding := Finding{Kind: KindMermaid, Line: 11, Message: "a diagram is shown as text: line 2: end cannot be the name of a node"}
	if len(findings) != 1 || findings[0] != wantFinding {
		t.Errorf("findings = %v, want %v", findings, wantFinding)
	}
	again, findings := CheckMermaid(out)
	if string(again) != want {
		t.Errorf("second check changed the page:\n%s", again)
	}
	if len(findings) != 1 || findings[0] != wantFinding {
		t.Errorf("findings of the second check = %v, want %v", findings, wantFinding)
	}
}

func TestCheckMermaid_earlierTool(t *testing.T) {
	page := "<!-- openwiki: mermaid parse failed (Parse error on line 2) -->\n```text\ngraph TD\n```\n```mermaid\nunclosed"
	out, findings := CheckMermaid([]byte(page))
	if string(out) != page {
		t.Errorf("page changed: %q", out)
	}
	if len(findings) != 1 || findings[0].Line != 1 || !strings.Contains(findings[0].Message, "Parse error on line 2") {
		t.Errorf("findings = %v", findings)
	}
}

func TestCheckMermaid_crlf(t *testing.T) {
	out, _ := CheckMermaid([]byte("```mermaid\r\ngraph TD\r\n a -->\r\n```\r\n"))
	if strings.Count(string(out), "\n") != strings.Count(string(out), "\r\n") || !strings.Contains(string(out), "```text\r\n") {
		t.Errorf("line endings are mixed: %q", out)
	}
}

func FuzzMermaid(f *testing.F) {
	for _, name := range []string{"valid.txt", "invalid.txt"} {
		data, err := os.ReadFile("testdata/mermaid/" + name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			f.Add("```mermaid\n" + string(file.Data) + "```\n")
		}
	}
	f.Fuzz(func(t *testing.T, page string) {
		out, findings := CheckMermaid([]byte(page))
		again, more := CheckMermaid(out)
		if string(again) != string(out) || len(more) != len(findings) {
			t.Fatalf("second check differs:\n in %q\nout %q\nagain %q\n%v\n%v", page, out, again, findings, more)
		}
	})
}
