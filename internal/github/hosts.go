package github

import (
	"fmt"
	"net/url"
	"strings"
)

// hosts are the addresses of one GitHub.
type hosts struct {
	api     *url.URL // ends in a slash
	graphql string
	server  *url.URL
}

// resolveHosts derives all addresses from that of the API. The forms are those of the GitHub documentation for github.com, Enterprise
// Server and data residency.
func resolveHosts(apiURL, serverURL string) (hosts, error) {
	if apiURL == "" {
		apiURL = "https://api.github.com"
	}
	api, err := parseAddress(apiURL)
	if err != nil {
		return hosts{}, fmt.Errorf("API address: %w", err)
	}
	tenant, isAPIHost := strings.CutPrefix(api.Host, "api.")
	graphql := *api
	server := &url.URL{Scheme: api.Scheme, Host: api.Host}
	switch {
	case isAPIHost && api.Path == "/":
		graphql.Path = "/graphql"
		server.Host = tenant
	case api.Path == "/":
		api.Path = "/api/v3/"
		graphql.Path = "/api/graphql"
	default:
		graphql.Path = strings.TrimSuffix(strings.TrimSuffix(api.Path, "/"), "/v3") + "/graphql"
	}
	if serverURL != "" {
		if server, err = parseAddress(serverURL); err != nil {
			return hosts{}, fmt.Errorf("server address: %w", err)
		}
	}
	return hosts{api: api, graphql: graphql.String(), server: server}, nil
}

// parseAddress reads an address that may be given from outside. What is wrong with it is told without repeating it: it may hold a password.
func parseAddress(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return nil, fmt.Errorf("not a URL")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Errorf("neither https nor http")
	case u.Host == "":
		return nil, fmt.Errorf("no host")
	case u.User != nil:
		return nil, fmt.Errorf("holds a user name or password")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("holds a query or a fragment")
	}
	u.Path = strings.TrimSuffix(u.Path, "/") + "/"
	return u, nil
}
