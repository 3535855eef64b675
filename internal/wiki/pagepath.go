package wiki

import (
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// PagePath is the path of a page as authors and run state spell it: absolute within the repository, such as
// "/openwiki/concepts/queue.md".
type PagePath string

const (
	claimsDir = ".claims"

	// maxSegment keeps a page, its sidecar and their temporary files below the 255 bytes a file name may have.
	maxSegment = 200
)

// ParsePage returns the canonical page path of s: slashes for backslashes, the wiki directory in front, no repeated slashes. Paths that
// leave the wiki, are not Markdown, belong to Claims, or name a structural file are refused with a [*PathError].
func (d Dir) ParsePage(s string) (PagePath, error) {
	refuse := func(reason string) (PagePath, error) {
		return "", &PathError{What: "page path", Value: s, Reason: reason}
	}
	value := strings.ReplaceAll(strings.TrimSpace(s), `\`, "/")
	if strings.ContainsRune(value, 0) {
		return refuse("contains a NUL character")
	}
	var segments []string
	for segment := range strings.SplitSeq(value, "/") {
		switch {
		case segment == "":
			continue
		case segment == "." || segment == "..":
			return refuse(`contains a "` + segment + `" segment`)
		case strings.EqualFold(segment, claimsDir):
			return refuse("is inside the Claims directory")
		}
		segments = append(segments, segment)
	}
	clean := strings.Join(segments, "/")
	if !d.contains(clean) {
		clean = string(d) + "/" + clean
	}
	base := path.Base(clean)
	switch {
	case clean == string(d) || clean == string(d)+"/":
		return refuse("is the wiki directory")
	case !strings.HasSuffix(base, ".md"):
		return refuse("does not end in .md")
	case structural(base):
		return refuse("is a structural file, not a page")
	}
	return PagePath("/" + clean), nil
}

// ParsePlannedPage is ParsePage for a page that is to be created: it also refuses names that are reserved or hidden, or that some file
// system cannot hold.
func (d Dir) ParsePlannedPage(s string) (PagePath, error) {
	p, err := d.ParsePage(s)
	if err != nil {
		return "", err
	}
	refuse := func(reason string) (PagePath, error) {
		return "", &PathError{What: "page path", Value: s, Reason: reason}
	}
	switch {
	case !utf8.ValidString(string(p)):
		return refuse("is not valid UTF-8")
	case hasControl(string(p)):
		return refuse("contains control characters")
	case strings.HasPrefix(path.Base(string(p)), "_"):
		return refuse(`starts with "_", which is reserved for working pages`)
	}
	for segment := range strings.SplitSeq(p.below(d), "/") {
		if reason := unportable(segment); reason != "" {
			return refuse(reason)
		}
	}
	return p, nil
}

// unportable says why a file or directory of this name cannot exist, or cannot be found, in some checkout.
func unportable(segment string) string {
	stem, _, _ := strings.Cut(strings.ToLower(segment), ".")
	switch {
	case len(segment) > maxSegment:
		return "has a segment longer than 200 bytes"
	case strings.HasPrefix(segment, "."):
		return "has a hidden segment"
	case strings.TrimSpace(segment) != segment || strings.HasSuffix(segment, "."):
		return "has a segment that starts or ends in a space or ends in a dot"
	case strings.ContainsAny(segment, `<>:"|?*`):
		return `contains one of < > : " | ? *, which Windows does not allow`
	case stem == "con", stem == "prn", stem == "aux", stem == "nul",
		len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")) && stem[3] >= '1' && stem[3] <= '9':
		return "uses a name that Windows reserves"
	}
	return ""
}

// structural reports names that are never pages, at any depth.
func structural(base string) bool {
	switch strings.ToLower(base) {
	case "index.md", "log.md", "instructions.md":
		return true
	}
	return false
}

// RepoPath returns the path relative to the repository root: "openwiki/concepts/queue.md".
func (p PagePath) RepoPath() string { return strings.TrimPrefix(string(p), "/") }

// below returns the path relative to the wiki directory.
func (p PagePath) below(d Dir) string { return strings.TrimPrefix(p.RepoPath(), string(d)+"/") }

// FoldKey returns a key that is equal for two paths exactly when some file system takes them for one: letter case and Unicode
// normal form make no difference.
func (p PagePath) FoldKey() string { return fold(string(p)) }

func fold(s string) string {
	return norm.NFC.String(strings.ToLower(strings.ToUpper(norm.NFD.String(s))))
}
