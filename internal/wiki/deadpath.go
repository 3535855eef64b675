package wiki

import (
	"path"
	"slices"
	"strings"
)

// deadPaths returns the code spans of a page that look like a file of this repository which is not there, as happens to every mention
// when a directory is reorganised. It errs on the side of silence: most code spans with a slash are something else.
func (c *checker) deadPaths(p PagePath, s *scan) []codeSpan {
	var dead []codeSpan
	var bases []string
	for _, code := range s.spans {
		name, ok := mentionedPath(code.text)
		if !ok {
			continue
		}
		if bases == nil {
			bases = c.bases(p, s)
		}
		if !c.reachable(name, bases) && c.plausible(name) {
			dead = append(dead, codeSpan{text: name, line: code.line})
		}
	}
	return dead
}

// bases returns the directories a path on this page may be relative to: the repository root, the page's own directory, and every
// directory above something the page rests on, links to or mentions.
func (c *checker) bases(p PagePath, s *scan) []string {
	seen := map[string]bool{"": true, path.Dir(p.RepoPath()): true}
	addParents := func(name string) {
		if strings.HasPrefix(name, "..") {
			return
		}
		file, dir := c.lookup(name)
		if !file && !dir {
			return
		}
		if dir {
			seen[name] = true
		}
		for _, parent := range parents(name) {
			seen[parent] = true
		}
	}
	for _, source := range Parse(s.src).Sources() {
		if t := resolveDest(p, source.Resource); t.repoURI && !t.outside {
			addParents(t.path)
		}
	}
	for _, link := range s.links {
		if t := resolveDest(p, link.dest); !t.external && !t.outside && t.raw != "" {
			addParents(t.path)
		}
	}
	for _, code := range s.spans {
		if i := strings.IndexAny(code.text, "{*<:#"); i >= 0 {
			code.text = code.text[:i]
		}
		if name := strings.Trim(code.text, "/ "); strings.Contains(name, "/") && pathCharacters(name) {
			addParents(path.Clean(name))
		}
	}
	list := make([]string, 0, len(seen))
	for base := range seen {
		list = append(list, base)
	}
	slices.Sort(list)
	return list
}

// reachable reports whether the path is there, seen from one of the directories. What is on disk without being source, such as build
// output, counts too.
func (c *checker) reachable(name string, bases []string) bool {
	for _, base := range bases {
		full, outside := cleanPath(base, name)
		if outside {
			continue
		}
		if file, dir := c.lookup(full); file || dir {
			return true
		}
		if file, dir := c.onDisk(full); file || dir {
			return true
		}
	}
	return false
}

// plausible reports whether a path that is not there can have been one: its first directory is, or it names a kind of source file.
func (c *checker) plausible(name string) bool {
	segments := strings.Split(name, "/")
	if slices.ContainsFunc(segments[:len(segments)-1], madeUp) {
		return false
	}
	if base := segments[len(segments)-1]; c.wiki.dir.contains(name) && (hidden(base) || strings.HasPrefix(base, "_")) {
		return false // state and working files of the wiki come and go
	}
	first := segments[0]
	if strings.Contains(first, ".") && !hidden(first) {
		return false // a host name, as in an import path
	}
	if _, dir := c.lookup(first); dir {
		return true
	}
	return sourceExtension(path.Ext(name))
}

// madeUp reports directories of build output and of examples.
func madeUp(segment string) bool {
	switch strings.ToLower(segment) {
	case "dist", "build", "out", "bin", "obj", "target", "coverage", "node_modules", "vendor", "tmp", "path", "foo", "bar", "example", "your", "my", "some":
		return true
	}
	return false
}

// mentionedPath reads a code span as a repository path to a file: at least one directory and an extension, and nothing that makes it a
// pattern, a command, a URL or an import. A line number behind it does not count.
func mentionedPath(text string) (string, bool) {
	name, _, _ := strings.Cut(strings.TrimSpace(text), "#")
	if at := strings.IndexByte(name, ':'); at > 0 && strings.Trim(name[at:], ":0123456789-L") == "" {
		name = name[:at]
	}
	if len(name) > 200 || !strings.Contains(name, "/") || strings.HasPrefix(name, "/") || strings.Contains(name, "//") || strings.Contains(name, "...") {
		return "", false
	}
	if !pathCharacters(name) {
		return "", false
	}
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		return "", false // relative to a file the text speaks about
	}
	extension := path.Ext(name)
	if len(extension) < 2 || len(extension) > 8 || path.Base(name) == extension {
		return "", false
	}
	return name, true
}

// pathCharacters reports whether the text has only characters that are usual in paths.
func pathCharacters(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return !isWord(r) && !strings.ContainsRune("/._-+", r) })
}

// sourceExtension reports the extensions of files that are usually written by hand and kept in a repository.
func sourceExtension(extension string) bool {
	switch strings.ToLower(extension) {
	case ".go", ".py", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".java", ".kt", ".kts", ".cs", ".rs", ".c", ".h", ".cc", ".cpp", ".cxx",
		".hpp", ".hh", ".rb", ".php", ".swift", ".scala", ".ex", ".exs", ".erl", ".hs", ".ml", ".clj", ".lua", ".pl", ".sh", ".bash", ".sql", ".proto",
		".vue", ".svelte", ".dart", ".zig", ".md", ".tf", ".gradle":
		return true
	}
	return false
}
