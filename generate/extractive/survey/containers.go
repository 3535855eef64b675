package survey

import (
	"path"
	"strings"
)

// isDockerfile reports an image definition by name.
func isDockerfile(name string) bool {
	base := path.Base(name)
	return base == "Dockerfile" || base == "Containerfile" || strings.HasPrefix(base, "Dockerfile.") || strings.HasSuffix(base, ".Dockerfile") ||
		strings.HasSuffix(base, ".dockerfile")
}

// isCompose reports a compose file by name.
func isCompose(name string) bool {
	base := path.Base(name)
	return (strings.HasPrefix(base, "docker-compose") || strings.HasPrefix(base, "compose")) && (path.Ext(base) == ".yml" || path.Ext(base) == ".yaml")
}

// readDockerfile reads the last stage of an image definition: its base, and what the image offers to whoever runs it.
func readDockerfile(name string, data []byte) []Container {
	c := Container{Name: path.Base(name), File: name, Ref: Ref{Path: name}}
	if dir := path.Dir(name); dir != "." {
		c.Name = path.Base(dir) + "/" + c.Name
	}
	for _, l := range dockerInstructions(data) {
		word, rest, _ := strings.Cut(l.text, " ")
		rest = clean(rest)
		ref := Ref{Path: name, Start: l.start, End: l.end}
		switch strings.ToUpper(word) {
		case "FROM":
			base, _, _ := strings.Cut(rest, " ")
			if strings.HasPrefix(base, "--platform") {
				base, _, _ = strings.Cut(strings.TrimSpace(strings.TrimPrefix(rest, base)), " ")
			}
			c.Base, c.Facts, c.Ref = base, nil, ref
		case "EXPOSE", "ENTRYPOINT", "CMD", "USER", "VOLUME", "WORKDIR", "ENV", "HEALTHCHECK":
			if len(rest) <= maxCommand {
				c.Facts = append(c.Facts, Fact{Text: strings.ToUpper(word) + " " + rest, Ref: ref})
			}
		}
	}
	if c.Base == "" {
		return nil
	}
	return []Container{c}
}

type instruction struct {
	text       string
	start, end int
}

// dockerInstructions joins continued lines.
func dockerInstructions(data []byte) []instruction {
	var out []instruction
	var cur *instruction
	for _, l := range splitLines(data) {
		text := strings.TrimSpace(l.text)
		if strings.HasPrefix(text, "#") || text == "" {
			continue
		}
		if cur == nil {
			cur = &instruction{start: l.no}
		}
		cur.end = l.no
		body, more := strings.CutSuffix(text, "\\")
		cur.text += strings.TrimSpace(body) + " "
		if !more {
			cur.text = strings.TrimSpace(cur.text)
			out = append(out, *cur)
			cur = nil
		}
	}
	return out
}

// readCompose reads the services of a compose file.
func readCompose(name string, data []byte) []Container {
	var out []Container
	for _, s := range firstYAML(data).get("services").fields() {
		c := Container{Name: s.key, File: name, Base: s.get("image").str(), Ref: Ref{Path: name, Start: s.line, End: s.line}}
		if b := s.get("build"); b != nil {
			context := b.str()
			if context == "" {
				context = b.get("context").str()
			}
			c.Facts = append(c.Facts, Fact{Text: "build " + context, Ref: b.ref(name)})
		}
		for _, key := range []string{"ports", "expose", "command", "entrypoint", "environment", "env_file", "depends_on", "volumes"} {
			c.Facts = append(c.Facts, composeFacts(name, s.get(key))...)
		}
		out = append(out, c)
	}
	return out
}

func composeFacts(name string, n *node) []Fact {
	if n == nil {
		return nil
	}
	var out []Fact
	add := func(text string, at *node) {
		if text != "" && len(text) <= maxCommand {
			out = append(out, Fact{Text: n.key + " " + text, Ref: at.ref(name)})
		}
	}
	if n.key == "command" || n.key == "entrypoint" {
		add(strings.Join(n.strings(), " "), n)
		return out
	}
	if n.scalar {
		add(n.str(), n)
	}
	for _, it := range n.list() {
		text := it.str()
		if target := it.get("target").str(); target != "" {
			text = strings.TrimPrefix(it.get("published").str()+":", ":") + target
		}
		add(text, it)
	}
	for _, e := range n.fields() {
		text := e.key
		if v := e.str(); v != "" {
			text += "=" + v
		}
		add(text, &node{line: e.line, end: e.line})
	}
	return out
}
