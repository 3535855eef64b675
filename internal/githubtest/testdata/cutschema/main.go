// Command cutschema makes testdata/schema.graphql: the types that the few GraphQL operations of the stand-in use, cut out of GitHub's public
// schema, one field a line, without prose.
//
// The schema comes from the npm package @octokit/graphql-schema (MIT, see LICENSE.octokit). To repeat, in internal/githubtest/testdata:
//
//	npm pack @octokit/graphql-schema@15.26.1 && tar xzf octokit-graphql-schema-15.26.1.tgz package/schema.graphql
//	go run cutschema/main.go package/schema.graphql schema.graphql
package main

import (
	"fmt"
	"log"
	"os"
	"regexp"
	"slices"
	"strings"
)

// kept are the types to keep, with the fields to keep where not all are wanted.
var kept = map[string][]string{
	"Query":    {"viewer", "node", "repository"},
	"Mutation": {"convertPullRequestToDraft", "markPullRequestReadyForReview", "enablePullRequestAutoMerge", "disablePullRequestAutoMerge", "updateRefs"},
	"User":     {"login", "databaseId", "id"}, "Repository": {"id", "databaseId", "nameWithOwner", "pullRequest"},
	"PullRequest": {"id", "databaseId", "number", "title", "body", "isDraft", "state", "merged", "headRefName", "headRefOid", "baseRefName", "baseRefOid", "url",
		"isInMergeQueue", "autoMergeRequest", "mergeQueueEntry"},
	"AutoMergeRequest": {"mergeMethod", "enabledAt", "enabledBy"}, "MergeQueueEntry": {"id", "position", "state"}, "Actor": {"login"},
	"ConvertPullRequestToDraftInput": nil, "MarkPullRequestReadyForReviewInput": nil, "EnablePullRequestAutoMergeInput": nil,
	"DisablePullRequestAutoMergeInput": nil, "UpdateRefsInput": nil, "RefUpdate": nil,
	"ConvertPullRequestToDraftPayload": nil, "MarkPullRequestReadyForReviewPayload": nil, "EnablePullRequestAutoMergePayload": nil,
	"DisablePullRequestAutoMergePayload": nil, "UpdateRefsPayload": nil, "PullRequestMergeMethod": nil,
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: cutschema SCHEMA OUTPUT")
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		log.Fatal("cutschema: ", err)
	}
}

func run(schema, output string) error {
	data, err := os.ReadFile(schema)
	if err != nil {
		return err
	}
	text := regexp.MustCompile(`(?s)"""(.*?)"""\s*`).ReplaceAllString(string(data), "")
	text = regexp.MustCompile(`\s*@[A-Za-z]+(\([^)]*\))?`).ReplaceAllString(text, "") // directives
	var out strings.Builder
	found := 0
	for _, block := range regexp.MustCompile(`(?ms)^(type|input|enum|interface) (\w+)[^{\n]*\{\n(.*?)^\}`).FindAllStringSubmatch(text, -1) {
		fields, wanted := kept[block[2]]
		if !wanted {
			continue
		}
		found++
		fmt.Fprintf(&out, "%s %s {\n", block[1], block[2])
		body := regexp.MustCompile(`\(\s+`).ReplaceAllString(block[3], "(")
		body = regexp.MustCompile(`\n\s*\n`).ReplaceAllString(body, "\n")
		body = regexp.MustCompile(`\s+\):`).ReplaceAllString(body, "):")
		body = regexp.MustCompile(`\n {4}`).ReplaceAllString(body, ", ")
		body = regexp.MustCompile(`,\s*,|,\s+\n`).ReplaceAllString(body, ",")
		for line := range strings.Lines(body) {
			name := regexp.MustCompile(`^\s*(\w+)`).FindStringSubmatch(line)
			if name != nil && (fields == nil || slices.Contains(fields, name[1])) {
				fmt.Fprintf(&out, "  %s\n", strings.TrimSpace(line))
			}
		}
		out.WriteString("}\n")
	}
	if found != len(kept) {
		return fmt.Errorf("found %d of %d types", found, len(kept))
	}
	return os.WriteFile(output, []byte(out.String()), 0o644)
}
