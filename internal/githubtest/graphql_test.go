package githubtest_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/githubtest"
)

func decode(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// graph sends a GraphQL request and returns the whole answer, compact.
func graph(t *testing.T, gh *githubtest.Server, token, query string, variables map[string]any) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, gh.GraphQLURL, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "bearer "+token)
	r.Header.Set("User-Agent", "test")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var out bytes.Buffer
	if _, err := out.ReadFrom(answer.Body); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out.String())
}

func TestGraphQL(t *testing.T) {
	t.Parallel()
	gh, c := start(t, githubtest.Options{})
	token := gh.Token(githubtest.Grant{})
	commitFiles(t, gh, c, "docs/new", inline("docs/one.md", "changed\n"))
	id := openPull(t, gh, c, "docs/new").GetNodeID()
	gh.Forget()
	for _, step := range []struct{ query, want string }{
		{`query { viewer { login databaseId } }`, `{"data":{"viewer":{"databaseId":41898282,"login":"github-actions[bot]"}}}`},
		{`query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { pullRequest(number: 1) { id isDraft mergeQueueEntry { id } autoMergeRequest { mergeMethod } } } }`,
			`{"data":{"repository":{"pullRequest":{"autoMergeRequest":null,"id":"` + id + `","isDraft":false,"mergeQueueEntry":null}}}}`},
		{`mutation($id: ID!) { convertPullRequestToDraft(input: {pullRequestId: $id}) { pullRequest { isDraft } } }`, `{"data":{"convertPullRequestToDraft":{"pullRequest":{"isDraft":true}}}}`},
		{`mutation($id: ID!) { enablePullRequestAutoMerge(input: {pullRequestId: $id, mergeMethod: SQUASH}) { pullRequest { isDraft } } }`,
			`{"data":{"enablePullRequestAutoMerge":null},"errors":[{"message":"Pull request is in draft state","path":["enablePullRequestAutoMerge"],"type":"UNPROCESSABLE"}]}`},
		{`mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { clientMutationId } }`, `{"data":{"markPullRequestReadyForReview":{"clientMutationId":null}}}`},
		{`mutation($id: ID!) { enablePullRequestAutoMerge(input: {pullRequestId: $id, mergeMethod: SQUASH}) { pullRequest { autoMergeRequest { mergeMethod enabledBy { login } } } } }`,
			`{"data":{"enablePullRequestAutoMerge":{"pullRequest":{"autoMergeRequest":{"enabledBy":{"login":"github-actions[bot]"},"mergeMethod":"SQUASH"}}}}}`},
		{`query($id: ID!) { node(id: $id) { ... on PullRequest { number } } }`, `{"data":{"node":{"number":1}}}`},
		{`mutation($id: ID!) { disablePullRequestAutoMerge(input: {pullRequestId: $id}) { pullRequest { autoMergeRequest { mergeMethod } } } }`,
			`{"data":{"disablePullRequestAutoMerge":{"pullRequest":{"autoMergeRequest":null}}}}`},
	} {
		variables := map[string]any{}
		for name, value := range map[string]any{"id": id, "owner": "acme", "name": "widgets"} {
			if strings.Contains(step.query, "$"+name+":") {
				variables[name] = value
			}
		}
		if got := graph(t, gh, token, step.query, variables); got != step.want {
			t.Errorf("%s\n got %s\nwant %s", step.query, got, step.want)
		}
	}
	if got := gh.Writes(); got != 5 {
		t.Errorf("%d writes, want 5", got)
	}
	gh.Enqueue(1)
	if got := graph(t, gh, token, `{ node(id: "`+id+`") { ... on PullRequest { isInMergeQueue mergeQueueEntry { position } } } }`, nil); got != `{"data":{"node":{"isInMergeQueue":true,"mergeQueueEntry":{"position":1}}}}` {
		t.Errorf("queue: %s", got)
	}
}

func TestGraphQLRefusals(t *testing.T) {
	t.Parallel()
	notes := &notebook{}
	gh, err := githubtest.Start(notes, t.TempDir(), githubtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer gh.Close()
	token := gh.Token(githubtest.Grant{})
	const arm = `mutation($id: ID!, $method: PullRequestMergeMethod!) { enablePullRequestAutoMerge(input: {pullRequestId: $id, mergeMethod: $method}) { clientMutationId } }`
	for _, test := range []struct {
		query     string
		variables map[string]any
		want      string
	}{
		{`{ viewer { login } `, nil, "the document ends too early"},
		{`{ viewer { login } } extra`, nil, `unexpected "extra"`},
		{`{ viewer }`, nil, "field must have selections (User)"},
		{`{ viewer { age } }`, nil, "field 'age' doesn't exist on type 'User'"},
		{`{ viewer { login { x } } }`, nil, "has no fields"},
		{`{ organization(login: "x") { id } }`, nil, "field 'organization' doesn't exist on type 'Query'"},
		{`query($n: String!) { node(id: $n) { __typename } }`, map[string]any{"n": "x"}, "type mismatch on variable $n (String! / ID!)"},
		{`query($n: ID!) { node(id: $n) { __typename } }`, nil, "$n of type ID! was provided invalid value"},
		{`{ viewer { login } }`, map[string]any{"n": "x"}, "variable $n is not declared"},
		{`{ node(id: "x", number: 1) { __typename } }`, nil, "'node' doesn't accept 'number'"},
		{`{ repository(owner: "acme") { id } }`, nil, "repository.name of type String! was provided invalid value"},
		{arm, map[string]any{"id": "PR_1001", "method": "squash"}, "$method of type PullRequestMergeMethod! was provided invalid value"},
		{`mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }`,
			map[string]any{"input": map[string]any{"repositoryId": "R_4242", "refUpdates": []any{map[string]any{"name": "main", "afterOid": gh.Head("main")}}}},
			"$input.refUpdates.name of type GitRefname! was provided invalid value"},
		{`mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }`,
			map[string]any{"input": map[string]any{"repositoryId": "R_4242"}}, "$input.refUpdates of type [RefUpdate!]! was provided invalid value"},
	} {
		if got := graph(t, gh, token, test.query, test.variables); !strings.Contains(got, strings.ReplaceAll(test.want, `"`, `\"`)) {
			t.Errorf("%s\n got %s\nwant %s", test.query, got, test.want)
		}
		if notes.take() == "" {
			t.Errorf("%s: nothing was reported", test.query)
		}
	}
}
