package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/wikiwright/wikiwright/app/evaluate"
)

// modelOverhead measures what a wiki costs besides the model: `wikiwright eval` plays an init of so many pages, each with three sources read and
// nine Claims, and an update of one page, against replies that come at once. The time includes the replies, and the two commits of the case.
func modelOverhead(ctx context.Context, program, numbers string, rounds int) error {
	if program == "" || !strings.ContainsRune(program, filepath.Separator) {
		program = "./" + program
	}
	fmt.Println("| pages | wall | CPU time | peak memory | requests | bytes sent | of them by the update of one page | per request |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- |")
	for number := range strings.SplitSeq(numbers, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || n < 2 {
			return fmt.Errorf("%q is no number of pages above one", number)
		}
		if err := modelRow(ctx, program, n, rounds); err != nil {
			return fmt.Errorf("%d pages: %w", n, err)
		}
	}
	return nil
}

func modelRow(ctx context.Context, program string, pages, rounds int) error {
	dir, err := os.MkdirTemp("", "wikiwright-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := writeCase(dir, pages); err != nil {
		return err
	}
	var wall, cpu []time.Duration
	var peak int64
	var row *evaluate.Row
	for range rounds {
		var out bytes.Buffer
		cmd := exec.CommandContext(ctx, program, "eval", "--json", dir)
		cmd.Stdout, cmd.Stderr = &out, os.Stderr
		start := time.Now()
		if err := cmd.Run(); err != nil {
			return err
		}
		wall = append(wall, time.Since(start))
		cpu = append(cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		peak = max(peak, peakMemory(cmd.ProcessState))
		var result struct {
			Rows []*evaluate.Row `json:"rows"`
		}
		if err := json.Unmarshal(out.Bytes(), &result); err != nil {
			return err
		}
		row = result.Rows[0]
		if row.Init.Complete != pages || row.Update == nil || row.Update.Complete != 1 {
			return fmt.Errorf("the case went another way: %+v, %+v", row.Init, row.Update)
		}
	}
	requests := row.Init.Usage.Requests + row.Update.Usage.Requests
	fmt.Printf("| %d | %v | %v | %d MiB | %d | %.2f MB | %.2f MB | %v |\n", pages, median(wall).Round(10*time.Millisecond), median(cpu).Round(10*time.Millisecond),
		peak>>20, requests, float64(row.Init.Sent+row.Update.Sent)/1e6, float64(row.Update.Sent)/1e6, (median(wall) / time.Duration(requests)).Round(100*time.Microsecond))
	return nil
}

const sourceFunctions = 9

// writeCase writes a case: a package of nine functions for each page, and a model that reads three files of it and states one fact of each
// function.
func writeCase(dir string, pages int) error {
	c := &caseWriter{dir: dir}
	c.file("source/README.md", "# Bench\n\nA program of many parts.\n")
	var plan []map[string]any
	for i := range pages {
		name := fmt.Sprintf("part%03d", i)
		if i == 0 {
			name = "quickstart"
		}
		c.source("source/", name, i, "")
		plan = append(plan, map[string]any{"path": name + ".md", "title": "Part " + name, "purpose": "What " + name + " does", "seedPaths": []string{name + "/one.py"}})
		for _, file := range []string{"one.py", "two.py", "three.py"} {
			c.call("init.jsonl", name+".md", "read_file", map[string]any{"file_path": "/" + name + "/" + file})
		}
		c.call("init.jsonl", name+".md", "write_file", map[string]any{"file_path": "/openwiki/" + name + ".md", "content": pageText(name, i, pages)})
		c.call("init.jsonl", name+".md", "submit_page", map[string]any{"claims": claimsOf(name)})
	}
	c.call("init.jsonl", "plan", "submit_plan", map[string]any{"pages": plan})
	c.source("change/", "part001", 1, " # changed")
	c.call("update.jsonl", "plan", "submit_plan", map[string]any{"pages": []string{}})
	c.call("update.jsonl", "part001.md", "read_file", map[string]any{"file_path": "/part001/one.py"})
	c.call("update.jsonl", "part001.md", "edit_file", map[string]any{"file_path": "/openwiki/part001.md", "old_string": "one thing", "new_string": "one single thing"})
	c.call("update.jsonl", "part001.md", "submit_page", map[string]any{"confirmedClaimIds": []string{"$required"}})
	return c.save()
}

// caseWriter collects the files of a case.
type caseWriter struct {
	dir   string
	names []string
	files map[string]*strings.Builder
}

func (c *caseWriter) file(name, text string) {
	if c.files == nil {
		c.files = map[string]*strings.Builder{}
	}
	if c.files[name] == nil {
		c.files[name] = &strings.Builder{}
		c.names = append(c.names, name)
	}
	c.files[name].WriteString(text)
}

// source writes the three files of a part, each with three functions of six lines. The change is a mark at the end of a line of the first.
func (c *caseWriter) source(base, name string, seed int, mark string) {
	for f, file := range []string{"one.py", "two.py", "three.py"} {
		for k := range sourceFunctions / 3 {
			n := f*3 + k
			if n > 0 {
				mark = ""
			}
			c.file(base+name+"/"+file, fmt.Sprintf("def %s_%d(x):\n    \"\"\"Return x and %d.\"\"\"\n    y = x + %d\n    return y%s\n\n\n", name, n, seed+n, seed+n, mark))
		}
	}
}

func (c *caseWriter) call(script, page, tool string, args any) {
	data, err := json.Marshal(map[string]any{"page": page, "calls": []any{map[string]any{"name": tool, "args": args}}, "input": 1000, "cached": 600, "output": 50})
	if err != nil {
		panic(err) // only values made here are encoded
	}
	c.file(script, string(data)+"\n")
}

func (c *caseWriter) save() error {
	for _, name := range c.names {
		path := filepath.Join(c.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(c.files[name].String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func pageText(name string, i, pages int) string {
	next := fmt.Sprintf("part%03d", max(1, (i+1)%pages))
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntype: Component\ntitle: Part %s\ndescription: What %s does.\ntags: [bench]\n---\n\n# Part %s\n\n", name, name, name)
	b.WriteString("It is made so that one thing is done in one place, and each of its callers can rely on what it promises. Nothing is kept between two calls.\n\n")
	for n := range sourceFunctions {
		fmt.Fprintf(&b, "## Step %d\n\n`%s_%d` adds a number to what it is given and hands the sum on to its caller, which has looked before that it fits.\n\n", n, name, n)
	}
	fmt.Fprintf(&b, "See [the next part](%s.md).\n", next)
	return b.String()
}

func claimsOf(name string) []map[string]any {
	files := []string{"one.py", "two.py", "three.py"}
	var out []map[string]any
	for n := range sourceFunctions {
		first := n%3*6 + 1
		resource := fmt.Sprintf("repo://%s/%s#L%d-L%d", name, files[n/3], first, first+3)
		out = append(out, map[string]any{"statement": fmt.Sprintf("`%s_%d` returns its argument and a number.", name, n), "evidence": []map[string]any{{"resource": resource}}})
	}
	return out
}
