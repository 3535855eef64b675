package githubtest

import (
	"net/http"
	"strconv"
	"strings"
)

// emptyTree is git's name of the tree without entries.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// compare answers what head has that base has not: base...head.
func (s *Server) compare(r *request) answer {
	baseName, headName, found := strings.Cut(r.params["basehead"], "...")
	base, head := s.resolve(s.ownName(baseName)), s.resolve(s.ownName(headName))
	if !found || base == "" || head == "" {
		return notFound()
	}
	mergeBase, err := s.mergeBase(base, head)
	if err != nil {
		return refuse(http.StatusNotFound, "No common ancestor between "+baseName+" and "+headName+".")
	}
	ahead, err := s.revList(base, head)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	behind, err := s.revList(head, base)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	page, header := paginate(s, r, ahead, 250, 250)
	files := []object{}
	if number := r.query.Get("page"); number == "" || number == "1" {
		if files, err = s.diffEntries(mergeBase, head); err != nil {
			return refuse(http.StatusInternalServerError, err.Error())
		}
	}
	return s.comparison(r, comparison{base, head, mergeBase, page, len(ahead), len(behind), files[:min(len(files), 300)], header})
}

// ownName drops the owner of "owner:branch".
func (s *Server) ownName(name string) string { return strings.TrimPrefix(name, s.Owner+":") }

type comparison struct {
	base, head, mergeBase string
	page                  []string
	ahead, behind         int
	files                 []object
	header                http.Header
}

func (s *Server) comparison(r *request, c comparison) answer {
	commits, err := s.commitObjects(c.page)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	base, err := s.commitObject(c.base)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	mergeBase, err := s.commitObject(c.mergeBase)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	status := "identical"
	switch {
	case c.ahead > 0 && c.behind > 0:
		status = "diverged"
	case c.ahead > 0:
		status = "ahead"
	case c.behind > 0:
		status = "behind"
	}
	self := s.html("/compare/" + r.params["basehead"])
	return answer{status: http.StatusOK, header: c.header, body: object{
		"url": s.url("/compare/" + r.params["basehead"]), "html_url": self, "permalink_url": self, "diff_url": self + ".diff", "patch_url": self + ".patch",
		"base_commit": base, "merge_base_commit": mergeBase, "status": status, "ahead_by": c.ahead, "behind_by": c.behind, "total_commits": c.ahead,
		"commits": commits, "files": c.files,
	}}
}

// diffEntries lists the files that differ between two commits or trees, without patches.
func (s *Server) diffEntries(from, to string) ([]object, error) {
	raw, err := s.fixed("diff-tree", "-r", "-z", "-M", "--raw", "--numstat", from, to)
	if err != nil {
		return nil, err
	}
	fields := strings.Split(raw, "\x00")
	out, index := []object{}, map[string]object{}
	for i := 0; i+1 < len(fields); {
		field := strings.TrimPrefix(fields[i], "\n")
		switch {
		case strings.HasPrefix(field, ":"):
			entry, used := s.rawEntry(field, fields[i+1:], to)
			out = append(out, entry)
			index[entry["filename"].(string)] = entry
			i += 1 + used
		default:
			i += countLines(field, fields[i+1:], index)
		}
	}
	return out, nil
}

// rawEntry reads one line of the raw format and the one or two paths that follow.
func (s *Server) rawEntry(line string, paths []string, to string) (object, int) {
	info := strings.Fields(line)
	status := map[byte]string{'A': "added", 'D': "removed", 'M': "modified", 'T': "changed", 'R': "renamed", 'C': "copied"}[info[4][0]]
	name, used := paths[0], 1
	entry := object{"sha": info[3], "status": status, "additions": 0, "deletions": 0, "changes": 0}
	if status == "renamed" || status == "copied" {
		entry["previous_filename"] = paths[0]
		name, used = paths[1], 2
	}
	if status == "removed" {
		entry["sha"] = info[2]
	}
	entry["filename"], entry["blob_url"], entry["raw_url"] = name, s.html("/blob/"+to+"/"+name), s.html("/raw/"+to+"/"+name)
	entry["contents_url"] = s.url("/contents/" + name + "?ref=" + to)
	return entry, used
}

// countLines reads one record of the numstat format; a rename has its two paths in records of their own.
func countLines(field string, following []string, index map[string]object) int {
	parts := strings.SplitN(field, "\t", 3)
	if len(parts) < 3 {
		return 1
	}
	name, used := parts[2], 1
	if name == "" && len(following) > 1 {
		name, used = following[1], 3
	}
	entry := index[name]
	added, err := strconv.Atoi(parts[0])
	removed, err2 := strconv.Atoi(parts[1])
	if entry != nil && err == nil && err2 == nil {
		entry["additions"], entry["deletions"], entry["changes"] = added, removed, added+removed
	}
	return used
}
