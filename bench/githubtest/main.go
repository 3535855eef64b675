// Command githubtest runs the stand-in for GitHub as a process of its own for the publishing benchmark.
//
// It prints one line of JSON that says where it listens, then answers every line on its standard input with a line of JSON that says what
// has happened since the last one, and ends with the input.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wikiwright/wikiwright/internal/githubtest"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: githubtest SEED DIRECTORY")
		os.Exit(2)
	}
	if err := serve(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "githubtest:", err)
		os.Exit(1)
	}
}

// console tells what goes against the rules.
type console struct{}

func (console) Helper()                           {}
func (console) Errorf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func serve(seed, dir string) error {
	gh, err := githubtest.Start(console{}, dir, githubtest.Options{SeedDir: seed, TLS: true})
	if err != nil {
		return err
	}
	defer gh.Close()
	gh.Allow(githubtest.MissingHeader) // others do not send all headers
	certificate := filepath.Join(dir, "certificate.pem")
	if err := os.WriteFile(certificate, gh.CertPEM(), 0o600); err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(map[string]string{
		"server": gh.ServerURL, "api": gh.APIURL, "graphql": gh.GraphQLURL, "clone": gh.CloneURL, "repository": gh.Owner + "/" + gh.Name,
		"token": gh.Token(githubtest.Grant{}), "certificate": certificate,
	}); err != nil {
		return err
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if err := out.Encode(state(gh)); err != nil {
			return err
		}
	}
	return nil
}

// state counts the calls since the last time and looks at the pull requests.
func state(gh *githubtest.Server) map[string]any {
	calls := []string{}
	for _, call := range gh.Calls() {
		if call.Kind != "git" {
			calls = append(calls, call.String())
		}
	}
	out := map[string]any{"calls": calls, "writes": gh.Writes(), "pulls": len(gh.Pulls()), "changed": 0}
	gh.Forget()
	if pull := gh.Pull(1); pull.Open {
		out["changed"] = gh.Changed(pull.Head, pull.Base)
	}
	return out
}
