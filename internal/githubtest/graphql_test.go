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
		if got := graph(t, gh, token, step.query, map[string]any{"id": id, "owner": "acme", "name": "widgets"}); got != step.want {
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
