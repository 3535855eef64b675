package safetext

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
)

// Commands returns the shell commands in the fences of a page, each once, in their order: what a reader is likely to paste.
func (p *Page) Commands() []string {
	if !bytes.Contains(p.body, []byte("```")) && !bytes.Contains(p.body, []byte("~~~")) {
		return nil
	}
	var commands []string
	seen := map[string]bool{}
	_ = ast.Walk(p.parsed(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		fence, ok := n.(*ast.FencedCodeBlock)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		for _, command := range shell(string(fence.Language(p.body)), fence.Lines().Value(p.body)) {
			if !seen[command] {
				seen[command] = true
				commands = append(commands, command)
			}
		}
		return ast.WalkContinue, nil
	})
	return commands
}

// shell returns the commands of a fence. In a session only the lines with a prompt are commands.
func shell(language string, lines []byte) []string {
	var session bool
	switch strings.ToLower(language) {
	case "sh", "bash", "shell", "zsh", "fish", "powershell", "pwsh", "ps1", "bat", "cmd", "batch":
		session = bytes.HasPrefix(lines, []byte("$ "))
	case "console", "shell-session", "terminal", "":
		session = true
	default:
		return nil
	}
	var commands []string
	continued := ""
	for line := range strings.Lines(string(lines)) {
		line = strings.TrimSpace(line)
		command, prompted := strings.CutPrefix(line, "$ ")
		switch {
		case continued != "":
			command = continued + " " + line
		case session && !prompted, line == "", strings.HasPrefix(line, "#"):
			continue
		}
		if rest, more := strings.CutSuffix(command, `\`); more {
			continued = strings.TrimSpace(rest)
			continue
		}
		continued = ""
		commands = append(commands, command)
	}
	if continued != "" {
		commands = append(commands, continued)
	}
	return commands
}

// An order is a pattern, and words of which a line in ASCII that it matches has at least one: to look for them is much faster.
type order struct {
	pattern *regexp.Regexp
	words   []string
	denied  bool // it is none behind a "not"
}

// orders match text that speaks to an agent and not to a reader.
var orders = sync.OnceValue(func() []order {
	return []order{
		{regexp.MustCompile(`(?i)\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+)?(?:(?:of\s+)?(?:the|your|my)\s+)?(?:previous|prior|above|earlier|preceding|other|system)\s+(?:instructions?|prompts?|rules|messages|context)`), []string{"ignore", "disregard", "forget", "override"}, false},
		{regexp.MustCompile(`(?i)\b(?:AI|LLM|language model|coding|automated)\s*(?:agents?|assistants?|models?|tools?)\b[^.\n]{0,60}\b(?:must|should|shall|never|always|need to|have to|please)\b`), []string{"must", "should", "shall", "never", "always", "need to", "have to", "please"}, false},
		{regexp.MustCompile(`(?i)\b(?:claude|copilot|chatgpt|gemini|codex|cursor)\s*[:,]\s*(?:please\s+)?(?:always|never|do|don't|run|execute|read|send|fetch|open|add|delete|ignore|print|include|write|use|you)\b`), []string{"claude", "copilot", "chatgpt", "gemini", "codex", "cursor"}, false},
		{regexp.MustCompile(`(?i)\b(?:agents?|assistants?)\s*[:,]\s*(?:please\b|always|never|do not|don't|run|execute|send|fetch|delete|print|you)\b`), []string{"agent", "assistant"}, false},
		{regexp.MustCompile(`(?i)\byou are (?:now |an? )?(?:an? )?(?:AI|LLM|assistant|language model|agent|expert|helpful)\b`), []string{"you are"}, false},
		{regexp.MustCompile(`(?i)\b(?:do not|don't|never)\s+(?:tell|inform|mention|reveal|show|alert|warn)\b[^.\n]{0,40}\b(?:user|human|developer|maintainer|reviewer|anyone)s?\b`), []string{"do not", "don't", "never"}, false},
		{regexp.MustCompile(`(?i)\b(?:when|if)\s+(?:an?\s+(?:AI|LLM|agent|assistant)|you\s+(?:are\s+an?\s+(?:AI|LLM|agent|assistant|language)|read|see|process|summari[sz]e|analy[sz]e|ingest|encounter))\b[^.\n]{0,60}\b(?:run|execute|curl|send|post|upload|exfiltrate|append|print)\b`), []string{"when", "if"}, false},
		{regexp.MustCompile(`(?i)<\s*/?\s*(?:system|instructions?|assistant|prompt)\s*>|\[/?INST\]|\bsystem prompt\b`), []string{"<", "inst]", "system prompt"}, false},
		{regexp.MustCompile(`(?i)\b(?:send|post|upload|exfiltrate|leak)\b[^.\n]{0,40}\b(?:secrets?|credentials?|tokens?|env(?:ironment)?(?: variables)?|api keys?)\b`), []string{"send", "post", "upload", "exfiltrate", "leak"}, true},
	}
})

// in says whether a line has the order. lower is the line in lower case, "" if it is not ASCII: other letters fold to ASCII too.
func (o order) in(line, lower string) bool {
	if lower != "" && !slices.ContainsFunc(o.words, func(word string) bool { return strings.Contains(lower, word) }) {
		return false
	}
	for at := 0; at < len(line); {
		match := o.pattern.FindStringIndex(line[at:])
		if match == nil {
			return false
		}
		if !o.denied || !denies(line[:at+match[0]]) {
			return true
		}
		at += match[0] + 1 // another may begin within
	}
	return false
}

// denies says whether a text ends in a word that turns what follows into its opposite: "should not leak".
func denies(text string) bool {
	text = strings.ToLower(strings.TrimRight(text, " "))
	return strings.HasSuffix(text, " not") || strings.HasSuffix(text, "n't") || strings.HasSuffix(text, "never")
}

func lowerASCII(line string) string {
	for i := range len(line) {
		if line[i] >= 0x80 {
			return ""
		}
	}
	return strings.ToLower(line)
}

// Addressed returns the lines of a page that seem to give orders to an agent, each once and in their order, code included: a wiki is read
// by agents too. It is a help for reviewers and proves nothing.
func Addressed(page []byte) []string {
	var found []string
	seen := map[string]bool{}
	for line := range strings.Lines(string(Clean(page))) {
		line = strings.TrimSpace(line)
		if line == "" || seen[line] {
			continue
		}
		lower := lowerASCII(line)
		for _, order := range orders() {
			if order.in(line, lower) {
				seen[line] = true
				found = append(found, line)
				break
			}
		}
	}
	return found
}
