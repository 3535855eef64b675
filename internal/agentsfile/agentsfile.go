// Package agentsfile keeps a block of fixed text in AGENTS.md and CLAUDE.md that tells coding agents about the wiki.
//
// [Update] takes both files as they stand and returns those that change. Everything outside the block belongs to the owner of the file and
// keeps its bytes. A file without the marks gets the block at its end, one with a pair of marks gets the text between them replaced.
// Anything else (one mark, marks in the wrong order, several pairs, marks in a code fence, an unmarked section of the same heading) is a
// [MarksError], and then neither file is touched: a guess could delete somebody's words.
//
// The text comes from this program and from nowhere else: agents follow it. The package reads and writes no files.
package agentsfile

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// The files.
const (
	Agents = "AGENTS.md"
	Claude = "CLAUDE.md"
)

// The marks around the block, as OpenWiki has them. Each stands on a line of its own.
const (
	startMark = "<!-- OPENWIKI:START -->"
	endMark   = "<!-- OPENWIKI:END -->"
	heading   = "## OpenWiki"
	importAll = "@" + Agents
)

// A File is one of the files as it stands. The zero File is one that is not there.
type File struct {
	Data   []byte
	Exists bool
	Link   bool // it is a symbolic link, which is left alone
}

// Options of an update.
type Options struct {
	Wanted  []string // which of the files
	WikiDir string   // such as openwiki
	Add     bool     // put the block where there is none; otherwise only a block that is there is brought up to date
}

// A MarksError is a file whose marks do not say where the block is.
type MarksError struct{ Path, Problem string }

// Error implements error.
func (e *MarksError) Error() string { return e.Path + " " + e.Problem }

// Hint says what to do.
func (e *MarksError) Hint() string {
	return "put " + startMark + " and " + endMark + " around the block, each once and on a line of its own, or remove both"
}

// Update returns the new bytes of the files that change, by name. AGENTS.md is made when it is not there, CLAUDE.md is not. A CLAUDE.md
// that is nothing but an import of AGENTS.md stays as it is. An error is a [*MarksError].
func Update(agents, claude File, opt Options) (map[string][]byte, error) {
	changed := map[string][]byte{}
	managesAgents := slices.Contains(opt.Wanted, Agents) && !agents.Link && (agents.Exists || opt.Add)
	if managesAgents {
		if err := update(changed, Agents, agents, fullBlock(opt.WikiDir), opt.Add); err != nil {
			return nil, err
		}
	}
	if !slices.Contains(opt.Wanted, Claude) || claude.Link || !claude.Exists || string(bytes.TrimSpace(claude.Data)) == importAll {
		return changed, nil
	}
	block := fullBlock(opt.WikiDir)
	if managesAgents || agents.Exists && !agents.Link {
		block = block[:1:1]
		block = append(block, heading, "", importAll, endMark)
	}
	if err := update(changed, Claude, claude, block, opt.Add); err != nil {
		return nil, err
	}
	return changed, nil
}

// update adds the file to changed if the block alters it.
func update(changed map[string][]byte, name string, file File, block []string, add bool) error {
	place, err := find(file.Data)
	if err != nil {
		return &MarksError{Path: name, Problem: err.Error()}
	}
	ending := "\n"
	if i := bytes.IndexByte(file.Data, '\n'); i > 0 && file.Data[i-1] == '\r' {
		ending = "\r\n"
	}
	text := strings.Join(block, ending)
	var data []byte
	switch {
	case place.found:
		data = slices.Concat(file.Data[:place.start], []byte(text), file.Data[place.end:])
	case !add:
		return nil
	case place.open:
		return &MarksError{Path: name, Problem: "ends in a code fence that is not closed"}
	default:
		if data = bytes.TrimRight(file.Data, " \t\r\n"); len(data) > 0 {
			data = append(slices.Clone(data), ending+ending...)
		}
		data = append(slices.Clone(data), text+ending...)
	}
	if !bytes.Equal(data, file.Data) {
		changed[name] = data
	}
	return nil
}

// A place is where the block is, both marks included.
type place struct {
	found      bool
	start, end int
	open       bool // not found, and the text ends within a code fence
}

// find looks for the marks. Its errors complete a sentence about the file.
func find(text []byte) (place, error) {
	var p place
	var starts, ends, at int
	section, fence := false, ""
	for line := range bytes.Lines(text) {
		s := strings.TrimRight(string(line), " \t\r\n")
		next := fenceAfter(fence, s)
		if fence == "" && next == "" {
			switch s {
			case startMark:
				starts++
				p.start = at
			case endMark:
				ends++
				p.end = at + len(endMark)
			case heading:
				section = true
			}
		}
		fence = next
		at += len(line)
	}
	all := bytes.Count(text, []byte(startMark)) + bytes.Count(text, []byte(endMark))
	switch {
	case all == 0 && section:
		return place{}, fmt.Errorf("has a section %q without the marks of a block", strings.TrimPrefix(heading, "## "))
	case all == 0:
		return place{open: fence != ""}, nil
	case starts != 1 || ends != 1 || all != 2 || p.end < p.start:
		return place{}, fmt.Errorf("has marks of a block that are not one pair on lines of their own")
	}
	p.found = true
	return p, nil
}

// fenceAfter returns the fence of code that is open after a line, "" for none.
func fenceAfter(open, line string) string {
	s := strings.TrimLeft(line, " ")
	if len(line)-len(s) > 3 {
		return open
	}
	run := ""
	for _, mark := range []string{"`", "~"} {
		if n := len(s) - len(strings.TrimLeft(s, mark)); n >= 3 {
			run = s[:n]
		}
	}
	switch {
	case run == "":
		return open
	case open == "":
		return run
	case run[0] == open[0] && len(run) >= len(open) && s == run:
		return ""
	}
	return open
}

// fullBlock is the block with its marks, line by line.
func fullBlock(wikiDir string) []string {
	return []string{
		startMark,
		heading,
		"",
		"This repository has a generated wiki in `" + wikiDir + "/`: statements about the source with their evidence, to look things up in. It is not",
		"required reading.",
		"",
		"- Do not browse or search the wiki up front. Consult it when the user asks for it, when a part of the architecture or a dependency that you",
		"  do not know matters to the task, or for a question that the source left open; stop when that is answered.",
		"- Where the tools `openwiki_search` and `openwiki_read` are there, search first and then read whole sections. When a tool answers",
		"  `workspace_required`, ask which workspace is meant and call it again with its id; the tools that list are for questions about what",
		"  belongs to a workspace.",
		"- Without these tools start at `" + wikiDir + "/quickstart.md` and follow its links.",
		"- Source and tests outrank the wiki. What it calls unknown is something to verify and no requirement.",
		"- Prove a change by the smallest quiet check that does, and keep the whole output of a failure.",
		"- Scheduled runs maintain the pages: do not edit them unless you are asked to.",
		endMark,
	}
}
