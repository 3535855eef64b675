// Command cut makes testdata/api.json.gz: the operations of operations.txt, cut out of GitHub's description of its REST API together
// with every schema, parameter and response they reach. Prose, examples and documentation links are dropped.
//
// The description comes from the npm package @octokit/openapi (MIT, see LICENSE.octokit). To repeat, in internal/githubtest/testdata:
//
//	npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-23.0.2.tgz package/generated/api.github.com.json
//	go run cut/main.go package/generated/api.github.com.json operations.txt api.json.gz
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
)

type object = map[string]any

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: cut DESCRIPTION OPERATIONS OUTPUT")
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal("cut: ", err)
	}
}

func run(description, operations, output string) error {
	data, err := os.ReadFile(description)
	if err != nil {
		return err
	}
	var whole object
	if err := json.Unmarshal(data, &whole); err != nil {
		return err
	}
	list, err := os.ReadFile(operations)
	if err != nil {
		return err
	}
	c := cutter{whole: whole, components: object{}}
	paths, err := c.paths(strings.Fields(string(list)))
	if err != nil {
		return err
	}
	info := whole["info"].(object)
	result := object{
		"openapi": whole["openapi"], "paths": paths, "components": c.components,
		"info": object{"title": info["title"], "version": info["version"], "license": info["license"]},
	}
	text, err := json.Marshal(result) // map keys are written in order
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	fmt.Printf("%d operations, %d bytes, %d packed\n", len(strings.Fields(string(list)))/2, len(text), packed.Len())
	return os.WriteFile(output, packed.Bytes(), 0o644)
}

type cutter struct{ whole, components object }

// paths copies the operations, given as method and path in turn.
func (c *cutter) paths(words []string) (object, error) {
	all := c.whole["paths"].(object)
	out := object{}
	for i := 0; i+1 < len(words); i += 2 {
		method, path := strings.ToLower(words[i]), words[i+1]
		item, _ := all[path].(object)
		operation, ok := item[method].(object)
		if !ok {
			return nil, fmt.Errorf("no operation %s %s", words[i], path)
		}
		kept, ok := out[path].(object)
		if !ok {
			kept = object{}
			out[path] = kept
			if shared, ok := item["parameters"]; ok {
				kept["parameters"] = c.copy(shared, "parameters")
			}
		}
		kept[method] = c.copy(operation, "operation")
	}
	return out, nil
}

// prose are the keys that say nothing about what is valid.
var prose = map[string]bool{"description": true, "summary": true, "example": true, "examples": true, "externalDocs": true, "tags": true, "title": true, "deprecated": true, "headers": true}

// namesOf are the keys whose value maps free names to things.
var namesOf = map[string]bool{"properties": true, "responses": true, "content": true, "schemas": true, "parameters": true}

// copy returns a value without prose and brings along what it refers to. key is where the value stands.
func (c *cutter) copy(value any, key string) any {
	switch v := value.(type) {
	case object:
		out := object{}
		for name, child := range v {
			named := namesOf[key]
			if !named && (strings.HasPrefix(name, "x-") || prose[name]) {
				continue
			}
			if name == "$ref" && !named {
				c.reach(child.(string))
			}
			next := name
			if named {
				next = ""
			}
			out[name] = c.copy(child, next)
		}
		if key == "responses" {
			for _, response := range out {
				if response := response.(object); response["$ref"] == nil {
					response["description"] = "" // required of a response
				}
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, child := range v {
			out[i] = c.copy(child, "")
		}
		return out
	}
	return value
}

// reach copies a component once.
func (c *cutter) reach(ref string) {
	parts := strings.Split(strings.TrimPrefix(ref, "#/components/"), "/")
	group, name := parts[0], parts[1]
	kept, ok := c.components[group].(object)
	if !ok {
		kept = object{}
		c.components[group] = kept
	}
	if _, done := kept[name]; done {
		return
	}
	kept[name] = nil
	one := object{name: c.whole["components"].(object)[group].(object)[name]}
	kept[name] = c.copy(one, group).(object)[name]
}
