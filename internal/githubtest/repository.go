package githubtest

import (
	"encoding/base64"
	"errors"
	"net/http"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	gitobject "github.com/go-git/go-git/v5/plumbing/object"
)

const repositoryID = 4242

func (s *Server) fullName() string { return s.Owner + "/" + s.Name }

// url is a place of the API in the repository.
func (s *Server) url(path string) string { return s.APIURL + "/repos/" + s.fullName() + path }

// html is a place of the web pages of the repository.
func (s *Server) html(path string) string { return s.ServerURL + "/" + s.fullName() + path }

// apiPaths are the links every repository carries: name of the field and path.
var apiPaths = [...][2]string{
	{"archive_url", "/{archive_format}{/ref}"}, {"assignees_url", "/assignees{/user}"}, {"blobs_url", "/git/blobs{/sha}"}, {"branches_url", "/branches{/branch}"},
	{"collaborators_url", "/collaborators{/collaborator}"}, {"comments_url", "/comments{/number}"}, {"commits_url", "/commits{/sha}"},
	{"compare_url", "/compare/{base}...{head}"}, {"contents_url", "/contents/{+path}"}, {"contributors_url", "/contributors"}, {"deployments_url", "/deployments"},
	{"downloads_url", "/downloads"}, {"events_url", "/events"}, {"forks_url", "/forks"}, {"git_commits_url", "/git/commits{/sha}"}, {"git_refs_url", "/git/refs{/sha}"},
	{"git_tags_url", "/git/tags{/sha}"}, {"hooks_url", "/hooks"}, {"issue_comment_url", "/issues/comments{/number}"}, {"issue_events_url", "/issues/events{/number}"},
	{"issues_url", "/issues{/number}"}, {"keys_url", "/keys{/key_id}"}, {"labels_url", "/labels{/name}"}, {"languages_url", "/languages"}, {"merges_url", "/merges"},
	{"milestones_url", "/milestones{/number}"}, {"notifications_url", "/notifications{?since,all,participating}"}, {"pulls_url", "/pulls{/number}"},
	{"releases_url", "/releases{/id}"}, {"stargazers_url", "/stargazers"}, {"statuses_url", "/statuses/{sha}"}, {"subscribers_url", "/subscribers"},
	{"subscription_url", "/subscription"}, {"tags_url", "/tags"}, {"teams_url", "/teams"}, {"trees_url", "/git/trees{/sha}"},
}

// repositoryObject is the repository as it stands in pull requests; full adds what only its own route tells.
func (s *Server) repositoryObject(full bool) object {
	visibility := "public"
	if s.opts.Private {
		visibility = "private"
	}
	out := object{
		"id": repositoryID, "node_id": repositoryNode, "name": s.Name, "full_name": s.fullName(), "owner": s.ownerObject(), "private": s.opts.Private, "visibility": visibility,
		"html_url": s.html(""), "description": nil, "fork": s.opts.Fork, "url": s.url(""), "clone_url": s.CloneURL, "git_url": s.CloneURL, "ssh_url": "git@localhost:" + s.fullName() + ".git",
		"svn_url": s.html(""), "mirror_url": nil, "homepage": nil, "language": nil, "license": nil, "default_branch": s.DefaultBranch, "archived": s.settings.archived,
		"disabled": false, "has_issues": true, "has_projects": false, "has_wiki": false, "has_pages": false, "has_downloads": true, "has_discussions": false,
		"forks": 0, "forks_count": 0, "open_issues": 0, "open_issues_count": 0, "stargazers_count": 0, "watchers": 0, "watchers_count": 0, "size": 1,
		"pushed_at": "2026-01-01T00:00:00Z", "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "topics": []any{},
		"allow_auto_merge": !s.settings.noAutoMerge, "allow_merge_commit": true, "allow_rebase_merge": true, "allow_squash_merge": true,
	}
	for _, link := range apiPaths {
		out[link[0]] = s.url(link[1])
	}
	if full {
		out["network_count"], out["subscribers_count"] = 0, 0
		if s.opts.Fork {
			parent := s.repositoryObject(false)
			parent["fork"], parent["full_name"] = false, "upstream/"+s.Name
			out["parent"], out["source"] = parent, parent
		}
	}
	return out
}

func (s *Server) ownerObject() object {
	out := s.userObject(User{Login: s.Owner, ID: 77})
	out["type"] = "Organization"
	return out
}

func (s *Server) getRepository(*request) answer { return ok(s.repositoryObject(true)) }

func (s *Server) getBranch(r *request) answer {
	name := r.params["branch"]
	sha := s.branchHead(name)
	if sha == "" {
		return refuse(http.StatusNotFound, "Branch not found")
	}
	commit, err := s.commitObject(sha)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	return ok(object{
		"name": name, "commit": commit, "protected": false, "protection": object{"enabled": false}, "protection_url": s.url("/branches/" + name + "/protection"),
		"_links": object{"self": s.url("/branches/" + name), "html": s.html("/tree/" + name)},
	})
}

// getContents answers with one file or the entries of a directory.
func (s *Server) getContents(r *request) answer {
	sha := s.resolve(or(r.query.Get("ref"), s.DefaultBranch))
	if sha == "" {
		return refuse(http.StatusNotFound, "No commit found for the ref "+r.query.Get("ref"))
	}
	commit, err := s.commit(sha)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	tree, err := commit.Tree()
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	path := strings.Trim(r.params["path"], "/")
	entry, err := tree.FindEntry(path)
	if errors.Is(err, gitobject.ErrEntryNotFound) || errors.Is(err, gitobject.ErrDirectoryNotFound) {
		return notFound()
	} else if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	if entry.Mode == filemode.Dir {
		return s.directory(tree, path)
	}
	data, err := s.blob(entry.Hash)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	out := s.contentEntry(path, entry.Hash.String(), "file", len(data))
	out["encoding"], out["content"] = "base64", wrapped(data)
	if len(data) > 1<<20 {
		out["encoding"], out["content"] = "none", ""
	}
	return ok(out)
}

func (s *Server) directory(root *gitobject.Tree, path string) answer {
	tree, err := root.Tree(path)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	out := []any{}
	for _, entry := range tree.Entries {
		kind := "file"
		if entry.Mode == filemode.Dir {
			kind = "dir"
		}
		out = append(out, s.contentEntry(path+"/"+entry.Name, entry.Hash.String(), kind, 0))
	}
	return ok(out)
}

func (s *Server) contentEntry(path, sha, kind string, size int) object {
	name := path[strings.LastIndex(path, "/")+1:]
	self := s.url("/contents/" + path)
	return object{
		"type": kind, "name": name, "path": path, "sha": sha, "size": size, "url": self, "html_url": s.html("/blob/" + path), "git_url": s.url("/git/blobs/" + sha),
		"download_url": nil, "_links": object{"self": self, "git": s.url("/git/blobs/" + sha), "html": s.html("/blob/" + path)},
	}
}

// wrapped is base64 in lines of 60, as GitHub writes it.
func wrapped(data []byte) string {
	text := base64.StdEncoding.EncodeToString(data)
	var out strings.Builder
	for len(text) > 60 {
		out.WriteString(text[:60] + "\n")
		text = text[60:]
	}
	return out.String() + text + "\n"
}
