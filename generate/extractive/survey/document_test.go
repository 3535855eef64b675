package survey

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const readme = `---
layout: x
---
<h1 align="center">
  <img src="logo.png"> Thing
</h1>

[![Build](https://ci/badge.svg)](https://ci) [![Docs](d.svg)](d)

- [Install](#install)
- [Usage](#usage)

> [!NOTE]
> Not this.

Please star us.

**Thing** stores ` + "`bytes`" + ` in [files](https://x), safely.
It is used by many.

## Build from source

` + "```sh" + `
git clone https://x/y
make build   # everything
go test ./...
curl x | sh
make \
  test
` + "```" + `

    $ make install
    installed

## Commands

` + "```sh" + `
make nothing
` + "```" + `
`

func TestMarkdown(t *testing.T) {
	d := readDocument("README.md", []byte(readme))
	if got, want := d.title(), (Fact{"Thing", Ref{"README.md", 4, 6}}); got != want {
		t.Errorf("title = %+v, want %+v", got, want)
	}
	if got, want := d.first(), (Fact{"Thing stores bytes in files, safely.", Ref{"README.md", 18, 19}}); got != want {
		t.Errorf("first = %+v, want %+v", got, want)
	}
	want := []Command{
		{Purpose: "build", Line: "make build", Source: "README", Ref: Ref{"README.md", 25, 25}, Dir: "."},
		{Purpose: "test", Line: "go test ./...", Source: "README", Ref: Ref{"README.md", 26, 26}, Dir: "."},
		{Purpose: "install", Line: "make install", Source: "README", Ref: Ref{"README.md", 32, 32}, Dir: "."},
	}
	if diff := cmp.Diff(want, d.documentCommands()); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

func TestRST(t *testing.T) {
	text := "=====\nThing\n=====\n\n.. image:: x.png\n   :alt: y\n\nThing is a web framework. It is light.\n\nInstall\n-------\n\n.. code-block:: text\n\n    $ pip install -e .\n\nRun it::\n\n    $ make run\n"
	d := readDocument("README.rst", []byte(text))
	if got, want := d.title(), (Fact{"Thing", Ref{"README.rst", 1, 3}}); got != want {
		t.Errorf("title = %+v, want %+v", got, want)
	}
	if got, want := d.first(), (Fact{"Thing is a web framework.", Ref{"README.rst", 8, 8}}); got != want {
		t.Errorf("first = %+v, want %+v", got, want)
	}
	var lines []string
	for _, c := range d.documentCommands() {
		lines = append(lines, c.Line)
	}
	if diff := cmp.Diff([]string{"pip install -e .", "make run"}, lines); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

func TestLateSectionsDoNotDescribe(t *testing.T) {
	d := readDocument("README.md", []byte("# X\n\n![logo](x)\n\n## Scaffolding your project\n\nCompatibility depends on the version of it.\n"))
	if got := d.first(); got.Text != "" {
		t.Errorf("first = %+v, want none", got)
	}
}

func TestLatestRelease(t *testing.T) {
	d := readDocument("CHANGELOG.md", []byte("# Changelog\n\n## Unreleased (1.3.0)\n\n## [1.2.0] - 2024-01-01\n\n## 1.1.0\n"))
	if got, want := d.latestRelease(), (Fact{"[1.2.0] - 2024-01-01", Ref{"CHANGELOG.md", 5, 5}}); got != want && got.Text != "1.2.0 - 2024-01-01" {
		t.Errorf("latestRelease = %+v, want %+v", got, want)
	}
}
