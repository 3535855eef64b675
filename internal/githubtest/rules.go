package githubtest

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Rules are a ruleset of the repository.
type Rules struct {
	Branches           string // pattern of branch names; "" for all
	RequiredSignatures bool
	NoForcePush        bool
	NoDeletion         bool
	NoCreation         bool
	NamePattern        string   // regular expression that new branch names must match
	RestrictedPaths    []string // patterns of files that may not be changed
	RequirePull        bool     // only by pull request: the branch takes no direct pushes
	PreReceive         string   // a text with which every push and ref update is refused, as a hook of GitHub Enterprise Server does
}

// SetRules replaces the rulesets. They hold for pushes and for the API, not for people's helpers of this package.
func (s *Server) SetRules(rules ...Rules) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = rules
}

// A refProblem is why a ref may not move.
type refProblem struct {
	ref     string
	rule    []string // violated rules of rulesets
	reason  string   // or: the reason git shows
	status  int      // of the REST answer
	message string   // of the REST answer
}

func (p *refProblem) rest() answer {
	if p.message != "" {
		return refuse(p.status, p.message)
	}
	return refuse(http.StatusUnprocessableEntity, "Repository rule violations found\n\n"+strings.Join(p.rule, "\n\n")+"\n\n")
}

// remote is what git prints with "remote: " before each line.
func (p *refProblem) remote() string {
	if len(p.rule) == 0 {
		return p.message
	}
	return "error: GH013: Repository rule violations found for " + p.ref + ".\n\n- " + strings.Join(p.rule, "\n\n- ") + "\n"
}

// refProblem holds a change against the rules. The new objects are in the repository already. The lock is held.
func (s *Server) refProblem(ref, from, to string, force bool, g Grant) *refProblem {
	branch := s.branchOf(ref)
	if branch == "" || ofFork(branch) { // rulesets are those of the repository
		return nil
	}
	if problem := s.refClash(ref, from); problem != nil {
		return problem
	}
	fresh, paths := s.incoming(to)
	if problem := workflowProblem(ref, paths, g); problem != nil {
		return problem
	}
	var broken []string
	for _, r := range s.rules {
		if !globMatch(r.Branches, branch) {
			continue
		}
		if r.PreReceive != "" {
			return &refProblem{ref: ref, reason: "pre-receive hook declined", status: http.StatusUnprocessableEntity, message: r.PreReceive}
		}
		broken = append(broken, s.brokenRules(r, branch, from, to, fresh, paths)...)
	}
	if broken == nil {
		return nil
	}
	return &refProblem{ref: ref, rule: broken, reason: "push declined due to repository rule violations"}
}

// refClash: a and a/b cannot both be refs.
func (s *Server) refClash(ref, from string) *refProblem {
	if from != "" {
		return nil
	}
	refs, err := s.allRefs()
	if err != nil {
		return nil
	}
	for _, other := range refs {
		if strings.HasPrefix(other.name, ref+"/") || strings.HasPrefix(ref, other.name+"/") {
			return &refProblem{ref: ref, reason: "directory file conflict", status: http.StatusUnprocessableEntity, message: "Reference update failed"}
		}
	}
	return nil
}

// incoming lists the commits that no ref holds yet and the paths they change.
func (s *Server) incoming(to string) (commits, paths []string) {
	if to == "" {
		return nil, nil
	}
	if commits, paths, ok := s.fresh(to); ok {
		return commits, paths
	}
	out, err := s.git("", "log", "--format=>%H", "--name-only", "--no-renames", "-z", to, "--not", "--all")
	if err != nil {
		return nil, nil
	}
	for _, field := range strings.FieldsFunc(out, func(c rune) bool { return c == 0 || c == '\n' }) {
		if commit, found := strings.CutPrefix(field, ">"); found {
			commits = append(commits, commit)
		} else {
			paths = append(paths, field)
		}
	}
	slices.Sort(paths)
	return commits, slices.Compact(paths)
}

// workflowProblem: workflow files need a permission of their own.
func workflowProblem(ref string, paths []string, g Grant) *refProblem {
	if g.Permissions["workflows"] == "write" {
		return nil
	}
	for _, path := range paths {
		if !strings.HasPrefix(path, ".github/workflows/") {
			continue
		}
		p := &refProblem{ref: ref, status: http.StatusForbidden, message: "Resource not accessible by integration"}
		p.reason = fmt.Sprintf("refusing to allow a GitHub App to create or update workflow `%s` without `workflows` permission", path)
		if g.Kind == PAT {
			p.reason = fmt.Sprintf("refusing to allow a Personal Access Token to create or update workflow `%s` without `workflow` scope", path)
			p.message = "Resource not accessible by personal access token"
		}
		return p
	}
	return nil
}

// brokenRules lists what a change violates in one ruleset, in GitHub's words.
func (s *Server) brokenRules(r Rules, branch, from, to string, fresh, paths []string) []string {
	var broken []string
	add := func(cond bool, text string) {
		if cond {
			broken = append(broken, text)
		}
	}
	add(r.NoDeletion && to == "", "Cannot delete this branch")
	if to == "" {
		return broken
	}
	add(r.NoCreation && from == "", "Cannot create ref due to creations being restricted.")
	add(r.NoForcePush && from != "" && !s.isAncestor(from, to), "Cannot force-push to this branch")
	add(r.RequirePull, "Changes must be made through a pull request.")
	if r.NamePattern != "" && from == "" {
		matched, err := regexp.MatchString(r.NamePattern, branch)
		add(err != nil || !matched, "Branch name must match a given regex pattern: "+r.NamePattern)
	}
	unsigned := slices.ContainsFunc(fresh, func(sha string) bool { return !s.signed[sha] })
	add(r.RequiredSignatures && unsigned, "Commits must have verified signatures.")
	for _, path := range paths {
		for _, pattern := range r.RestrictedPaths {
			hit, err := doublestar.Match(pattern, path)
			add(err == nil && hit, "File path is restricted: "+path)
		}
	}
	return broken
}

// branchRules is what applies to a branch.
func (s *Server) branchRules(r *request) answer {
	out := []any{}
	for i, rules := range s.rules {
		if !globMatch(rules.Branches, r.params["branch"]) {
			continue
		}
		add := func(cond bool, kind string, parameters object) {
			if !cond {
				return
			}
			rule := object{"type": kind, "ruleset_source_type": "Repository", "ruleset_source": s.fullName(), "ruleset_id": i + 1}
			if parameters != nil {
				rule["parameters"] = parameters
			}
			out = append(out, rule)
		}
		add(rules.NoCreation, "creation", nil)
		add(rules.NoDeletion, "deletion", nil)
		add(rules.NoForcePush, "non_fast_forward", nil)
		add(rules.RequiredSignatures, "required_signatures", nil)
		add(rules.NamePattern != "", "branch_name_pattern", object{"operator": "regex", "pattern": rules.NamePattern, "negate": false, "name": ""})
		add(len(rules.RestrictedPaths) > 0, "file_path_restriction", object{"restricted_file_paths": rules.RestrictedPaths})
		add(rules.RequirePull, "pull_request", object{
			"dismiss_stale_reviews_on_push": false, "require_code_owner_review": false, "require_last_push_approval": false,
			"required_approving_review_count": 0, "required_review_thread_resolution": false,
		})
	}
	return ok(out)
}
