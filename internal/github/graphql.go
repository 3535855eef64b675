package github

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// A GraphQLError is what GraphQL answers instead of, or beside, data.
type GraphQLError struct {
	Errors []struct {
		Type    string `json:"type"` // such as NOT_FOUND or FORBIDDEN; may be empty
		Message string `json:"message"`
	}
}

// Error implements error.
func (e *GraphQLError) Error() string {
	messages := make([]string, len(e.Errors))
	for i, one := range e.Errors {
		messages[i] = one.Message
	}
	return "GraphQL: " + strings.Join(messages, "; ")
}

// Has tells whether one of the errors is of a type.
func (e *GraphQLError) Has(kind string) bool {
	for _, one := range e.Errors {
		if one.Type == kind {
			return true
		}
	}
	return false
}

// GraphQL sends a query or mutation and decodes its data into out, which may be nil. Errors in an answer with status 200 are a
// [GraphQLError]; out may then be filled in part. Queries are repeated like GET, mutations like other writes.
func (c *Client) GraphQL(ctx context.Context, query string, vars map[string]any, out any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": vars})
	if err != nil {
		return fmt.Errorf("encode GraphQL request: %w", err)
	}
	if !strings.HasPrefix(strings.TrimSpace(query), "mutation") {
		ctx = context.WithValue(ctx, queryKey, true)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.graphql, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("make GraphQL request: %w", err)
	}
	req.Header.Set("Accept", "application/vnd.github+json")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", c.api.UserAgent)
	req.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	answer := struct {
		Data   json.RawMessage `json:"data"`
		Errors json.RawMessage `json:"errors"`
	}{}
	// go-github's Do checks the status and decodes; the errors of a GraphQL answer are its data.
	if _, err := c.api.Do(ctx, req, &answer); err != nil {
		return fmt.Errorf("ask GraphQL: %w", err)
	}
	if out != nil && len(answer.Data) > 0 {
		if err := json.Unmarshal(answer.Data, out); err != nil {
			return fmt.Errorf("read GraphQL answer: %w", err)
		}
	}
	if len(answer.Errors) > 0 && string(answer.Errors) != "null" {
		failed := &GraphQLError{}
		if err := json.Unmarshal(answer.Errors, &failed.Errors); err != nil {
			return fmt.Errorf("read GraphQL errors: %w", err)
		}
		if len(failed.Errors) > 0 {
			for i := range failed.Errors {
				failed.Errors[i].Message = c.transport.redact.text(failed.Errors[i].Message)
			}
			return failed
		}
	}
	return nil
}
