// Package githubtest is a strict stand-in for GitHub: one loopback HTTP server with one repository, whose REST API, GraphQL API and git
// over HTTP work on the same bare repository.
//
//	gh := githubtest.New(t, githubtest.Options{Seed: gittest.FromTxtar(t, archive)})
//	token := gh.Token(githubtest.Grant{})     // what ${{ github.token }} is
//	… gh.APIURL, gh.ServerURL, gh.CloneURL …  // give these to the code under test
//	gh.Merge(1, "squash")                     // people act
//	gh.NeverEqualsBase("openwiki/update", "main")
//
// What it promises. Every request and every answer is checked against a cut of GitHub's own OpenAPI description (testdata/api.json.gz),
// and every GraphQL operation against a cut of its public schema (testdata/schema.graphql).
// A route it does not know, a parameter that is not described, a missing header, a token that is absent, wrong, expired or without the
// permission is answered as GitHub would and fails the test, unless the test said [Server.Allow]. Objects and refs are real: what the API
// writes can be cloned, what is pushed shows in pull requests. Errors carry GitHub's words.
//
// Paths of calls ([Call], [Match]) are relative to the repository: "pulls/7", "git/refs/heads/x", "" for the repository itself; "graphql",
// "users/ada"; and for git "info/refs", "git-upload-pack" and "git-receive-pack".
//
// What it does not do: repositories other than one fork ([Options.ForkOwner]), checks, reviews, web hooks. Rate limits do not count by themselves; they
// are faults ([Server.Fault], [Server.RandomFaults], [Server.LimitCalls]).
package githubtest
