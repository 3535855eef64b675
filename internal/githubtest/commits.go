package githubtest

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	gitobject "github.com/go-git/go-git/v5/plumbing/object"
)

// signature is what stands in a commit that GitHub signed. It is no real signature; [Server] remembers which commits have one.
const signature = "-----BEGIN PGP SIGNATURE-----\n\nsigned by the stand-in for GitHub\n-----END PGP SIGNATURE-----\n"

func (s *Server) createBlob(r *request) answer {
	var in struct{ Content, Encoding string }
	if err := r.decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	data := []byte(in.Content)
	if in.Encoding == "base64" {
		decoded, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(in.Content, "\n", ""))
		if err != nil {
			return refuse(http.StatusUnprocessableEntity, "content is not valid Base64")
		}
		data = decoded
	}
	b := s.newBatch()
	hash, err := b.blob(data)
	if err == nil {
		err = b.flush()
	}
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	return created(object{"sha": hash.String(), "url": s.url("/git/blobs/" + hash.String())})
}

func (s *Server) getBlob(r *request) answer {
	sha := r.params["file_sha"]
	if s.kindOf(sha) != plumbing.BlobObject {
		return notFound()
	}
	data, err := s.blob(plumbing.NewHash(sha))
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	return ok(object{"sha": sha, "node_id": "B_" + sha, "size": len(data), "url": s.url("/git/blobs/" + sha), "encoding": "base64", "content": wrapped(data)})
}

// A treeEntry is one entry of POST git/trees.
type treeEntry struct {
	Path, Mode, Type string
	SHA              nullable
	Content          *string
}

// nullable tells null from absent.
type nullable struct {
	set   bool
	value string // "" when null
}

func (n *nullable) UnmarshalJSON(data []byte) error {
	n.set = true
	if string(data) == "null" {
		return nil
	}
	value, err := strconv.Unquote(string(data))
	n.value = value
	return err
}

func (s *Server) createTree(r *request) answer {
	var in struct {
		Tree []treeEntry
		Base string `json:"base_tree"`
	}
	if err := r.decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	if len(in.Tree) == 0 {
		return refuse(http.StatusUnprocessableEntity, "Invalid tree info")
	}
	base, refused := s.baseTree(in.Base)
	if refused.status != 0 {
		return refused
	}
	b := s.newBatch()
	var edits []treeEdit
	for _, entry := range in.Tree {
		edit, refused := s.treeEdit(b, entry)
		if refused.status != 0 {
			return refused
		}
		edits = append(edits, edit)
	}
	hash, err := b.edit(base, edits)
	switch {
	case errors.Is(err, errNoSuchPath):
		return refuse(http.StatusUnprocessableEntity, "GitRPC::BadObjectState")
	case err == nil && hash.IsZero():
		return refuse(http.StatusUnprocessableEntity, "Invalid tree info")
	case err == nil:
		err = b.flush()
	}
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	return s.treeAnswer(http.StatusCreated, hash, false)
}

// baseTree finds the tree that new entries are laid over: a tree or the tree of a commit.
func (s *Server) baseTree(name string) (plumbing.Hash, answer) {
	switch s.kindOf(name) {
	case plumbing.TreeObject:
		return plumbing.NewHash(name), answer{}
	case plumbing.CommitObject:
		commit, err := s.commit(name)
		if err != nil {
			return plumbing.ZeroHash, refuse(http.StatusInternalServerError, err.Error())
		}
		return commit.TreeHash, answer{}
	}
	if name == "" {
		return plumbing.ZeroHash, answer{}
	}
	return plumbing.ZeroHash, refuse(http.StatusUnprocessableEntity, "base_tree is not a valid tree oid")
}

// treeEdit checks an entry and writes its content.
func (s *Server) treeEdit(b *batch, entry treeEntry) (treeEdit, answer) {
	invalid := func(text string) (treeEdit, answer) { return treeEdit{}, refuse(http.StatusUnprocessableEntity, text) }
	switch {
	case entry.Path == "":
		return invalid("tree.path is missing")
	case strings.HasPrefix(entry.Path, "/"):
		return invalid("tree.path cannot start with a slash")
	case malformed(entry.Path):
		return invalid("tree.path contains a malformed path component")
	case entry.SHA.set && entry.SHA.value != "" && entry.Content != nil:
		return invalid("tree.sha and tree.content may not both be given")
	case !entry.SHA.set && entry.Content == nil:
		return invalid("Must supply either tree.sha or tree.content")
	}
	if entry.Content == nil && entry.SHA.value == "" {
		return treeEdit{path: entry.Path}, answer{}
	}
	mode, err := filemode.New(entry.Mode)
	if err != nil {
		return invalid("tree.mode " + entry.Mode + " is not a valid mode")
	}
	if entry.Content != nil {
		hash, err := b.blob([]byte(*entry.Content))
		if err != nil {
			return treeEdit{}, refuse(http.StatusInternalServerError, err.Error())
		}
		return treeEdit{entry.Path, mode, hash}, answer{}
	}
	want := map[filemode.FileMode]plumbing.ObjectType{filemode.Dir: plumbing.TreeObject}[mode]
	if want == plumbing.InvalidObject {
		want = plumbing.BlobObject
	}
	if mode != filemode.Submodule && s.kindOf(entry.SHA.value) != want {
		return invalid(fmt.Sprintf("tree.sha %s is not a valid %s", entry.SHA.value, want))
	}
	return treeEdit{entry.Path, mode, plumbing.NewHash(entry.SHA.value)}, answer{}
}

// malformed says whether git forbids a path.
func malformed(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
			return true
		}
	}
	return strings.ContainsRune(path, 0) || !utf8.ValidString(path)
}

func (s *Server) getTree(r *request) answer {
	name := r.params["tree_sha"]
	hash := plumbing.NewHash(name)
	if s.kindOf(name) != plumbing.TreeObject {
		commit := s.resolve(name)
		if commit == "" {
			return notFound()
		}
		found, err := s.commit(commit)
		if err != nil {
			return refuse(http.StatusInternalServerError, err.Error())
		}
		hash = found.TreeHash
	}
	return s.treeAnswer(http.StatusOK, hash, r.query.Has("recursive"))
}

// treeAnswer lists a tree.
func (s *Server) treeAnswer(status int, hash plumbing.Hash, recursive bool) answer {
	store := s.store()
	tree, err := gitobject.GetTree(store, hash)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	walk := gitobject.NewTreeWalker(tree, recursive, nil)
	defer walk.Close()
	entries := []any{}
	for {
		path, e, err := walk.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return refuse(http.StatusInternalServerError, err.Error())
		}
		kind := "blob"
		switch e.Mode {
		case filemode.Dir:
			kind = "tree"
		case filemode.Submodule:
			kind = "commit"
		}
		entry := object{"path": path, "mode": fmt.Sprintf("%06o", uint32(e.Mode)), "type": kind, "sha": e.Hash.String(), "url": s.url("/git/" + kind + "s/" + e.Hash.String())}
		if kind == "blob" {
			if entry["size"], err = store.EncodedObjectSize(e.Hash); err != nil {
				return refuse(http.StatusInternalServerError, err.Error())
			}
		}
		entries = append(entries, entry)
	}
	return answer{status: status, body: object{"sha": hash.String(), "url": s.url("/git/trees/" + hash.String()), "tree": entries, "truncated": false}}
}

// A person of a commit request.
type person struct {
	Name, Email string
	Date        *time.Time
}

func (s *Server) createCommit(r *request) answer {
	var in struct {
		Message           string
		Tree              string
		Parents           []string
		Author, Committer *person
		Signature         string
	}
	if err := r.decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	if s.kindOf(in.Tree) != plumbing.TreeObject {
		return refuse(http.StatusUnprocessableEntity, "Tree SHA does not exist")
	}
	commit := &gitobject.Commit{Message: in.Message, TreeHash: plumbing.NewHash(in.Tree)}
	for _, parent := range in.Parents {
		if s.kindOf(parent) != plumbing.CommitObject {
			return refuse(http.StatusUnprocessableEntity, "Parent SHA does not exist or is not a commit object")
		}
		commit.ParentHashes = append(commit.ParentHashes, plumbing.NewHash(parent))
	}
	sign := r.grant.bot() && in.Author == nil && in.Committer == nil && in.Signature == ""
	s.setPeople(commit, r.grant, in.Author, in.Committer)
	commit.PGPSignature = in.Signature
	if sign {
		commit.PGPSignature = signature
	}
	b := s.newBatch()
	hash, err := b.encode(commit)
	if err == nil {
		err = b.flush()
	}
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	if sign {
		s.signed[hash.String()] = true
	}
	out, err := s.gitCommitObject(hash.String())
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	return created(out)
}

// setPeople: without an author it is the token's account. A commit that GitHub signs for a bot is committed by GitHub.
func (s *Server) setPeople(commit *gitobject.Commit, g Grant, author, committer *person) {
	u, _ := s.user(g.Login)
	commit.Author = gitobject.Signature{Name: u.Name, Email: u.email(), When: s.now().UTC()}
	if g.bot() {
		commit.Author.Email = u.noreply()
	}
	if author != nil {
		commit.Author = author.signature(s.now())
	}
	commit.Committer = commit.Author
	if g.bot() && author == nil && committer == nil {
		commit.Committer.Name, commit.Committer.Email = "GitHub", webFlowEmail
	}
	if committer != nil {
		commit.Committer = committer.signature(s.now())
	}
}

func (p *person) signature(now time.Time) gitobject.Signature {
	if p.Date != nil {
		now = *p.Date
	}
	return gitobject.Signature{Name: p.Name, Email: p.Email, When: now.UTC()}
}

func (s *Server) getGitCommit(r *request) answer {
	if s.kindOf(r.params["commit_sha"]) != plumbing.CommitObject {
		return notFound()
	}
	out, err := s.gitCommitObject(r.params["commit_sha"])
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	return ok(out)
}

func (s *Server) verification(c *gitobject.Commit) object {
	switch sha := c.Hash.String(); {
	case s.signed[sha]:
		return object{"verified": true, "reason": "valid", "signature": c.PGPSignature, "payload": "tree " + c.TreeHash.String(), "verified_at": timestamp(c.Committer.When)}
	case c.PGPSignature != "":
		return object{"verified": false, "reason": "unknown_key", "signature": c.PGPSignature, "payload": "tree " + c.TreeHash.String(), "verified_at": nil}
	}
	return object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}
}

func signatureObject(sig gitobject.Signature) object {
	return object{"name": sig.Name, "email": sig.Email, "date": timestamp(sig.When)}
}

// gitCommitObject is a commit as git knows it.
func (s *Server) gitCommitObject(sha string) (object, error) {
	c, err := s.commit(sha)
	if err != nil {
		return nil, err
	}
	parents := []any{}
	for _, parent := range c.ParentHashes {
		parents = append(parents, object{"sha": parent.String(), "url": s.url("/git/commits/" + parent.String()), "html_url": s.html("/commit/" + parent.String())})
	}
	return object{
		"sha": sha, "node_id": "C_" + sha, "url": s.url("/git/commits/" + sha), "html_url": s.html("/commit/" + sha),
		"author": signatureObject(c.Author), "committer": signatureObject(c.Committer), "message": strings.TrimSuffix(c.Message, "\n"),
		"tree": object{"sha": c.TreeHash.String(), "url": s.url("/git/trees/" + c.TreeHash.String())}, "parents": parents, "verification": s.verification(c),
	}, nil
}

// commitObject is a commit with the accounts of its people.
func (s *Server) commitObject(sha string) (object, error) {
	inner, err := s.gitCommitObject(sha)
	if err != nil {
		return nil, err
	}
	c, err := s.commit(sha)
	if err != nil {
		return nil, err
	}
	parents := []any{}
	for _, parent := range c.ParentHashes {
		parents = append(parents, object{"sha": parent.String(), "url": s.url("/commits/" + parent.String()), "html_url": s.html("/commit/" + parent.String())})
	}
	return object{
		"sha": sha, "node_id": "C_" + sha, "url": s.url("/commits/" + sha), "html_url": s.html("/commit/" + sha), "comments_url": s.url("/commits/" + sha + "/comments"),
		"commit": object{
			"author": inner["author"], "committer": inner["committer"], "message": inner["message"], "tree": inner["tree"], "url": inner["url"],
			"comment_count": 0, "verification": inner["verification"],
		},
		"author": s.account(c.Author.Email), "committer": s.account(c.Committer.Email), "parents": parents,
	}, nil
}

// account is the user of an e-mail, or null.
func (s *Server) account(email string) any {
	u, found := s.byEmail(email)
	if !found {
		return nil
	}
	return s.userObject(u)
}

func (s *Server) commitObjects(shas []string) ([]any, error) {
	out := []any{}
	for _, sha := range shas {
		commit, err := s.commitObject(sha)
		if err != nil {
			return nil, err
		}
		out = append(out, commit)
	}
	return out, nil
}

func (s *Server) getCommit(r *request) answer {
	sha := s.resolve(r.params["ref"])
	if sha == "" {
		return refuse(http.StatusUnprocessableEntity, "No commit found for SHA: "+r.params["ref"])
	}
	out, err := s.commitObject(sha)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	before := emptyTree
	if parents := out["parents"].([]any); len(parents) > 0 {
		before = parents[0].(object)["sha"].(string)
	}
	files, err := s.diffEntries(before, sha)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	out["files"] = files[:min(len(files), 300)]
	return ok(out)
}

func (s *Server) listCommits(r *request) answer {
	start := s.resolve(or(r.query.Get("sha"), s.DefaultBranch))
	if start == "" {
		return notFound()
	}
	args := []string{"rev-list", start}
	if since := r.query.Get("since"); since != "" {
		args = append(args, "--since="+since)
	}
	if path := r.query.Get("path"); path != "" {
		args = append(args, "--", path)
	}
	out, err := s.git("", args...)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	page, header := paginate(s, r, strings.Fields(out), 30, 100)
	commits, err := s.commitObjects(page)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	return answer{status: http.StatusOK, body: commits, header: header}
}

// paginate cuts a page out of a list and links to the others.
func paginate[T any](s *Server, r *request, all []T, perPage, most int) ([]T, http.Header) {
	if n, err := strconv.Atoi(r.query.Get("per_page")); err == nil && n > 0 {
		perPage = min(n, most)
	}
	page := 1
	if n, err := strconv.Atoi(r.query.Get("page")); err == nil && n > 0 {
		page = n
	}
	from, to := min((page-1)*perPage, len(all)), min(page*perPage, len(all))
	last := max((len(all)+perPage-1)/perPage, 1)
	var links []string
	link := func(n int, rel string) {
		query := url.Values{}
		for name, values := range r.query {
			query[name] = values
		}
		query.Set("page", strconv.Itoa(n))
		links = append(links, fmt.Sprintf(`<%s?%s>; rel="%s"`, s.ServerURL+r.http.URL.EscapedPath(), query.Encode(), rel))
	}
	if page > 1 {
		link(page-1, "prev")
		link(1, "first")
	}
	if page < last {
		link(page+1, "next")
		link(last, "last")
	}
	header := http.Header{}
	if links != nil {
		header.Set("Link", strings.Join(links, ", "))
	}
	return all[from:to], header
}
