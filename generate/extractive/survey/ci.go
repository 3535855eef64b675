package survey

import (
	"path"
	"slices"
	"sort"
	"strings"
)

// isWorkflow reports the pipeline files of the common CI systems.
func isWorkflow(name string) bool {
	switch {
	case path.Dir(name) == ".github/workflows" && (strings.HasSuffix(name, ".yml") || strings.HasSuffix(name, ".yaml")):
		return true
	case name == ".gitlab-ci.yml", name == ".circleci/config.yml", name == "azure-pipelines.yml", name == ".travis.yml", name == ".cirrus.yml",
		name == "bitbucket-pipelines.yml":
		return true
	}
	return false
}

// readWorkflow reads a CI pipeline: events, jobs, and the command lines of its steps.
func readWorkflow(name string, data []byte) (*Workflow, []Command) {
	root := firstYAML(data)
	if root == nil || len(root.entries) == 0 {
		return nil, nil
	}
	w := &Workflow{File: name, Name: root.get("name").str(), Ref: Ref{Path: name}}
	r := &workflowReader{w: w, defaultDir: root.get("defaults", "run", "working-directory").str()}
	if n := root.get("name"); n.str() != "" {
		w.Ref = n.ref(name)
	}
	switch {
	case strings.HasPrefix(name, ".github/"):
		r.github(root)
	case name == ".circleci/config.yml":
		r.circle(root)
	case name == ".gitlab-ci.yml":
		r.gitlab(root)
	case name == "azure-pipelines.yml":
		r.azure(root)
	default:
		r.travis(root)
	}
	if w.Name == "" {
		w.Name = strings.TrimSuffix(path.Base(name), path.Ext(name))
		if path.Dir(name) == "." || strings.HasPrefix(name, ".circleci") {
			w.Name = strings.Trim(strings.TrimSuffix(name, path.Ext(name)), ".")
		}
	}
	return w, r.commands
}

type workflowReader struct {
	w          *Workflow
	commands   []Command
	defaultDir string
}

func (r *workflowReader) github(root *node) {
	on := root.get("on")
	if on == nil {
		on = root.get("true") // YAML 1.1 readers take the bare word for a boolean
	}
	r.w.On = on.strings()
	for _, e := range on.fields() {
		r.w.On = append(r.w.On, githubEvent(e))
	}
	for _, job := range root.get("jobs").fields() {
		var steps []string
		dir := job.get("defaults", "run", "working-directory").str()
		if dir == "" {
			dir = r.defaultDir
		}
		for _, step := range job.get("steps").list() {
			at := dir
			if d := step.get("working-directory").str(); d != "" {
				at = d
			}
			steps = append(steps, r.run(step.get("run"), at)...)
			r.inside(step.get("with", "run"), at)
		}
		if uses := job.get("uses").str(); uses != "" {
			steps = append(steps, uses)
		}
		r.job(job, job.get("name").str(), steps)
	}
}

// githubEvent names an event with its branches, tags or times, where they are literal.
func githubEvent(e *node) string {
	for _, key := range []string{"branches", "tags"} {
		if v := e.get(key).strings(); len(v) > 0 {
			more := ""
			if len(v) > 4 {
				v, more = v[:4], " and others"
			}
			return e.key + " (" + key + ": " + strings.Join(v, ", ") + more + ")"
		}
	}
	for _, it := range e.list() {
		if cron := it.get("cron").str(); cron != "" {
			return e.key + " (" + cron + ")"
		}
	}
	return e.key
}

func (r *workflowReader) job(job *node, title string, steps []string) {
	if title == "" || strings.Contains(title, "${{") {
		title = job.key
	}
	text := cut(title, maxName)
	if len(steps) > 0 {
		shown := steps[:min(len(steps), 4)]
		text += ": " + cut(strings.Join(shown, "; "), 240)
	}
	r.w.Jobs = append(r.w.Jobs, Fact{Text: text, Ref: job.ref(r.w.File)})
}

// run records the command lines of one step's script and returns those that do work.
func (r *workflowReader) run(script *node, dir string) []string {
	if script.str() == "" {
		return nil
	}
	if dir == "" {
		dir = "."
	}
	first := script.line
	lines := strings.Split(strings.TrimRight(script.text, "\n"), "\n")
	block := script.end > script.line
	var out []string
	for i, l := range lines {
		l, _, _ := strings.Cut(l, " # ")
		line := commandLine(l)
		if !worksAlone(line, lines, i) {
			continue
		}
		at := first
		if block {
			at = first + 1 + i
		}
		out = append(out, line)
		if strings.Contains(dir, "${{") || strings.Contains(dir, "$") {
			continue
		}
		r.commands = append(r.commands, Command{
			Line: line, Source: "CI step", Dir: path.Clean(dir), Ref: Ref{Path: r.w.File, Start: at, End: at}, Purpose: purposeOfLine(line),
		})
	}
	return out
}

// inside records the lines of a script that an action runs in a machine of its own, as far as they run single tests: people seldom write
// such lines elsewhere.
func (r *workflowReader) inside(script *node, dir string) {
	before := len(r.commands)
	r.run(script, dir)
	r.commands = append(r.commands[:before], slices.DeleteFunc(slices.Clone(r.commands[before:]), func(c Command) bool { return !runsOneTest()(c.Line) })...)
}

// worksAlone reports a script line that is a whole command which means the same outside the script.
func worksAlone(line string, lines []string, i int) bool {
	if line == "" || strings.ContainsAny(line[:1], "#{}()&|-<>[:$\"'") || strings.HasSuffix(line, "\\") || strings.Contains(line, "${{") ||
		strings.Contains(line, "$GITHUB") || strings.Contains(line, "$(") {
		return false
	}
	if i > 0 && (strings.HasSuffix(strings.TrimSpace(lines[i-1]), "\\") || strings.HasPrefix(lines[i], " ")) {
		return false
	}
	word, _, _ := strings.Cut(line, " ")
	switch word {
	case "if", "then", "else", "elif", "fi", "for", "while", "do", "done", "case", "esac", "function", "echo", "printf", "cd", "export", "set", "exit",
		"sleep", "mkdir", "rm", "cp", "mv", "ls", "cat", "pwd", "env", "source", ".", "curl", "wget", "tar", "unzip", "git", "chmod", "sed", "grep", "test", "true",
		"exec", "local", "return", "break", "shift", "trap", "unset", "which", "EOF", "touch", "date", "whoami", "sudo":
		return false
	}
	return !strings.Contains(word, "=") || purposeOfLine(line) != ""
}

func (r *workflowReader) circle(root *node) {
	for _, job := range root.get("jobs").fields() {
		var steps []string
		for _, step := range job.get("steps").list() {
			script := step.get("run")
			if c := script.get("command"); c != nil {
				script = c
			}
			steps = append(steps, r.run(script, "")...)
		}
		r.job(job, "", steps)
	}
}

func (r *workflowReader) gitlab(root *node) {
	for _, job := range root.fields() {
		script := job.get("script")
		if script == nil || strings.HasPrefix(job.key, ".") {
			continue
		}
		r.job(job, "", r.script(script))
	}
}

// script runs over a scalar or a list of scalars.
func (r *workflowReader) script(script *node) []string {
	steps := r.run(script, "")
	for _, it := range script.list() {
		steps = append(steps, r.run(it, "")...)
	}
	return steps
}

func (r *workflowReader) azure(root *node) {
	jobs := root.get("jobs").list()
	for _, stage := range root.get("stages").list() {
		jobs = append(jobs, stage.get("jobs").list()...)
	}
	if root.get("steps") != nil {
		jobs = append(jobs, root)
	}
	for _, job := range jobs {
		var steps []string
		for _, step := range job.get("steps").list() {
			for _, key := range []string{"script", "bash"} {
				steps = append(steps, r.run(step.get(key), step.get("workingDirectory").str())...)
			}
		}
		title := job.get("displayName").str()
		if title == "" {
			title = job.get("job").str()
		}
		if title != "" {
			r.job(job, title, steps)
		}
	}
}

func (r *workflowReader) travis(root *node) {
	for _, key := range []string{"install", "before_script", "script"} {
		if n := root.get(key); n != nil {
			r.job(n, key, r.script(n))
		}
	}
	for _, task := range root.fields() {
		if !strings.HasSuffix(task.key, "_task") && task.key != "task" {
			continue
		}
		var steps []string
		for _, s := range task.fields() {
			if strings.HasSuffix(s.key, "script") {
				steps = append(steps, r.script(s)...)
			}
		}
		r.job(task, task.get("name").str(), steps)
	}
}

func sortWorkflows(ws []Workflow) {
	sort.SliceStable(ws, func(i, j int) bool { return ws[i].File < ws[j].File })
}
