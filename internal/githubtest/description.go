package githubtest

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

//go:embed testdata/api.json.gz
var packedDescription []byte

// loadDescription reads the cut of GitHub's description once; it is only read afterwards.
var loadDescription = sync.OnceValues(func() (*openapi3.T, error) {
	r, err := gzip.NewReader(bytes.NewReader(packedDescription))
	if err != nil {
		return nil, fmt.Errorf("unpack the API description: %w", err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("unpack the API description: %w", err)
	}
	spec, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, fmt.Errorf("read the API description: %w", err)
	}
	return spec, nil
})

// described binds a request to its operation in the description.
func (s *Server) described(r *request) *openapi3filter.RequestValidationInput {
	item := s.spec.Paths.Value(r.route.path)
	return &openapi3filter.RequestValidationInput{
		Request: r.http, PathParams: r.params,
		Route: &routers.Route{Spec: s.spec, Path: r.route.path, PathItem: item, Method: r.route.method, Operation: item.GetOperation(r.route.method)},
		Options: &openapi3filter.Options{
			SkipSettingDefaults: true, RejectWhenRequestBodyNotSpecified: true, IncludeResponseStatus: true,
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
		},
	}
}

// checkRequest says how a request differs from its description: also parameters and fields that GitHub would ignore in silence.
func checkRequest(r *request, input *openapi3filter.RequestValidationInput) error {
	operation := input.Route.Operation
	for name := range r.query {
		if operation.Parameters.GetByInAndName("query", name) == nil {
			return fmt.Errorf("query parameter %q is not described", name)
		}
	}
	if isLabelArray(r) {
		return nil // GitHub takes it and go-github sends it; the description has only the object
	}
	r.http.Body = io.NopCloser(bytes.NewReader(r.body))
	if err := openapi3filter.ValidateRequest(r.http.Context(), input); err != nil {
		return shorten(err)
	}
	return checkFields(r, operation)
}

func isLabelArray(r *request) bool {
	var names []string
	return r.route.method == http.MethodPost && strings.HasSuffix(r.route.path, "/labels") && json.Unmarshal(r.body, &names) == nil
}

// checkFields refuses fields of the body that the description does not name.
func checkFields(r *request, operation *openapi3.Operation) error {
	if len(r.body) == 0 || operation.RequestBody == nil {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(r.body, &fields); err != nil {
		return fmt.Errorf("body: %w", err)
	}
	media := operation.RequestBody.Value.Content.Get("application/json")
	names := fieldNames(media.Schema.Value)
	for name := range fields {
		if !slices.Contains(names, name) {
			return fmt.Errorf("field %q is not described", name)
		}
	}
	return nil
}

func fieldNames(schema *openapi3.Schema) []string {
	var names []string
	for name := range schema.Properties {
		names = append(names, name)
	}
	for _, group := range []openapi3.SchemaRefs{schema.OneOf, schema.AnyOf, schema.AllOf} {
		for _, choice := range group {
			names = append(names, fieldNames(choice.Value)...)
		}
	}
	return names
}

// checkResponse says how an answer differs from its description. Errors that the description does not list (401, 5xx) are not checked.
func checkResponse(r *request, input *openapi3filter.RequestValidationInput, status int, header http.Header, body []byte) error {
	if status >= 400 && input.Route.Operation.Responses.Status(status) == nil {
		return nil
	}
	response := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: status, Header: header, Options: input.Options}
	response.SetBodyBytes(body)
	if err := openapi3filter.ValidateResponse(r.http.Context(), response); err != nil {
		return shorten(err)
	}
	return nil
}

// shorten leaves the place and the reason of an error, without the schema and the value.
func shorten(err error) error {
	where := ""
	var request *openapi3filter.RequestError
	if errors.As(err, &request) && request.Parameter != nil {
		where = "parameter " + request.Parameter.Name + " "
	}
	var schema *openapi3.SchemaError
	if errors.As(err, &schema) {
		for deeper := schema; errors.As(deeper.Origin, &deeper) && deeper != nil; {
			schema = deeper
		}
		return fmt.Errorf("%sat /%s: %s", where, strings.Join(schema.JSONPointer(), "/"), schema.Reason)
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(text)
}
