package agent

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"strings"
	"sync"
	"text/template"
)

//go:embed prompts/*.md submit_plan.md submit_page.md inspect_claims.md
var texts embed.FS

var templates = sync.OnceValues(func() (*template.Template, error) {
	return template.New("").Option("missingkey=error").ParseFS(texts, "prompts/*.md")
})

// fill returns a prompt. Values are text; what is not ours has passed through data or oneLine.
func fill(name string, values any) (string, error) {
	parsed, err := templates()
	if err != nil {
		return "", fmt.Errorf("parse the prompts: %w", err)
	}
	var b strings.Builder
	if err := parsed.ExecuteTemplate(&b, name, values); err != nil {
		return "", fmt.Errorf("fill the prompt %s: %w", name, err)
	}
	return strings.TrimSpace(b.String()), nil
}

// doc returns the description of a tool.
func doc(name string) string {
	text, err := texts.ReadFile(name)
	if err != nil {
		panic(err) // the file is embedded above
	}
	return strings.TrimSpace(string(text))
}

// maxData bounds one block of data, in bytes.
const maxData = 60_000

// data encloses text that is not ours in marks that it cannot contain: they carry a digest of the text. Empty text gives "".
func data(name, text string) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if text == "" {
		return ""
	}
	if len(text) > maxData {
		text = strings.ToValidUTF8(text[:maxData], "") + "\n[cut here]"
	}
	mark := fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:12]
	return fmt.Sprintf("<data %s %s>\n%s\n</data %s>", name, mark, text, mark)
}

// oneLine makes text fit into a line of a prompt: it can neither begin a line of its own nor close a mark.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	const most = 600
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strings.NewReplacer("<", "‹", ">", "›").Replace(text)
}
