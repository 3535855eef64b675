package scan

import (
	"bytes"
	"path"
	"strings"
)

// Language returns the display name of the language of a file: by its name, its extension, its "#!" line, or, for the few
// extensions that languages share, by the first bytes of its content. It returns "" where it does not know.
func Language(p string, head []byte) string {
	base := path.Base(p)
	if l := languageOfName(base); l != "" {
		return l
	}
	ext := strings.ToLower(path.Ext(base))
	if l := languageOfContent(ext, head); l != "" {
		return l
	}
	if l := languageOfExtension(ext); l != "" {
		return l
	}
	if bytes.HasPrefix(head, []byte("#!")) {
		return languageOfShebang(head)
	}
	return ""
}

// languageOfName knows the files whose name, not extension, says what they are.
func languageOfName(base string) string {
	switch base {
	case "Makefile", "makefile", "GNUmakefile", "Makefile.am", "Makefile.in":
		return "Makefile"
	case "Dockerfile", "Containerfile":
		return "Dockerfile"
	case "CMakeLists.txt":
		return "CMake"
	case "Jenkinsfile":
		return "Groovy"
	case "Rakefile", "Gemfile", "Podfile", "Vagrantfile", "Fastfile", "Guardfile", "Capfile", "Brewfile", "Appraisals", "Dangerfile":
		return "Ruby"
	case "BUILD", "BUILD.bazel", "WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", "Tiltfile", "BUCK":
		return "Starlark"
	case "SConstruct", "SConscript", "wscript":
		return "Python"
	case "Justfile", "justfile", ".justfile":
		return "Just"
	case "meson.build", "meson_options.txt", "meson.options":
		return "Meson"
	case "go.mod", "go.sum", "go.work", "go.work.sum":
		return "Go module"
	case "Cargo.lock", "Pipfile", "poetry.lock", "uv.lock":
		return "TOML"
	case "Pipfile.lock", "composer.lock", ".babelrc", ".eslintrc", ".prettierrc", "flake.lock":
		return "JSON"
	case "Procfile":
		return "Procfile"
	case "Caddyfile":
		return "Caddyfile"
	case ".gitignore", ".dockerignore", ".npmignore", ".openwikiignore", ".eslintignore", ".prettierignore":
		return "Ignore list"
	case ".editorconfig", ".gitconfig", ".npmrc", ".gitmodules":
		return "INI"
	case ".bashrc", ".profile", ".bash_profile", ".zshrc", ".envrc", "PKGBUILD", "APKBUILD":
		return "Shell"
	case "Earthfile":
		return "Earthly"
	case "Snakefile":
		return "Snakemake"
	case "Kconfig":
		return "Kconfig"
	case "LICENSE", "COPYING", "NOTICE", "AUTHORS", "README", "CHANGELOG", "CODEOWNERS":
		return "Text"
	}
	switch {
	case strings.HasPrefix(base, "Dockerfile.") || strings.HasSuffix(base, ".Dockerfile"):
		return "Dockerfile"
	case strings.HasPrefix(base, "Makefile."):
		return "Makefile"
	case base == ".env" || strings.HasPrefix(base, ".env."):
		return "Dotenv"
	}
	return ""
}

// languageOfContent decides the extensions that languages share; "" leaves it to the extension.
func languageOfContent(ext string, head []byte) string {
	switch ext {
	case ".h":
		if looksObjectiveC(head) {
			return "Objective-C"
		}
		if looksCPlusPlus(head) {
			return "C++"
		}
	case ".m":
		if !looksObjectiveC(head) && (hasLinePrefix(head, "function ") || hasLinePrefix(head, "%") || hasLinePrefix(head, "classdef ")) {
			return "MATLAB"
		}
	case ".v":
		if hasLinePrefix(head, "module ") && bytes.Contains(head, []byte("endmodule")) || hasLinePrefix(head, "`timescale") {
			return "Verilog"
		}
		if hasLinePrefix(head, "Require ") || hasLinePrefix(head, "Theorem ") || hasLinePrefix(head, "Lemma ") {
			return "Coq"
		}
	case ".ts":
		if bytes.Contains(head[:min(len(head), 200)], []byte("<!DOCTYPE TS>")) {
			return "XML" // Qt translations
		}
	case ".inc":
		if !bytes.Contains(head, []byte("<?")) {
			return "Include file"
		}
	case ".pl":
		if hasLinePrefix(head, ":- ") {
			return "Prolog"
		}
	case ".cl":
		if bytes.Contains(head, []byte("__kernel")) {
			return "OpenCL"
		}
	case ".d":
		if bytes.Contains(head, []byte(".o: ")) || bytes.Contains(head, []byte(".o : ")) {
			return "Makefile" // dependency lists of compilers
		}
	case ".fs":
		if bytes.Contains(head, []byte("gl_Position")) || hasLinePrefix(head, "#version") {
			return "GLSL"
		}
	case ".t":
		if !bytes.Contains(head, []byte("use ")) {
			return "Text"
		}
	}
	return ""
}

func looksObjectiveC(head []byte) bool {
	for _, mark := range []string{"@interface ", "@implementation ", "@protocol ", "@import ", "#import ", "@class "} {
		if hasLinePrefix(head, mark) {
			return true
		}
	}
	return false
}

func looksCPlusPlus(head []byte) bool {
	for _, mark := range []string{
		"class ", "namespace ", "template<", "template <", "using ", "public:", "private:", "protected:", "virtual ", "constexpr ",
		"#include <string>", "#include <vector>", "#include <memory>", "#include <map>", "#include <functional>", "#include <cstdint>",
		"#include <cstddef>", "#include <iostream>", "#include <utility>", "#include <optional>",
	} {
		if hasLinePrefix(head, mark) {
			return true
		}
	}
	return bytes.Contains(head, []byte("std::"))
}

// hasLinePrefix tells whether some line begins with s after its indentation.
func hasLinePrefix(head []byte, s string) bool {
	for from := 0; ; {
		n := bytes.Index(head[from:], []byte(s))
		if n < 0 {
			return false
		}
		i := from + n
		for i > 0 && (head[i-1] == ' ' || head[i-1] == '\t') {
			i--
		}
		if i == 0 || head[i-1] == '\n' {
			return true
		}
		from += n + len(s)
	}
}

// languageOfShebang reads the interpreter of a "#!" line.
func languageOfShebang(head []byte) string {
	line := head[2:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	for _, word := range strings.Fields(string(line)) {
		name := path.Base(word)
		if name == "env" || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		return interpreter(strings.TrimRight(name, "0123456789."))
	}
	return ""
}

func interpreter(name string) string {
	switch name {
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "bats":
		return "Shell"
	case "python", "pypy", "uv":
		return "Python"
	case "node", "nodejs", "bun":
		return "JavaScript"
	case "deno", "ts-node", "tsx":
		return "TypeScript"
	case "ruby", "jruby":
		return "Ruby"
	case "perl":
		return "Perl"
	case "php":
		return "PHP"
	case "lua", "luajit":
		return "Lua"
	case "Rscript":
		return "R"
	case "fish":
		return "Fish"
	case "pwsh":
		return "PowerShell"
	case "awk", "gawk", "mawk":
		return "Awk"
	case "tclsh", "wish", "expect":
		return "Tcl"
	case "groovy":
		return "Groovy"
	case "julia":
		return "Julia"
	case "elixir":
		return "Elixir"
	case "escript":
		return "Erlang"
	case "runghc", "runhaskell", "stack":
		return "Haskell"
	case "make":
		return "Makefile"
	case "osascript":
		return "AppleScript"
	case "scala":
		return "Scala"
	case "swift":
		return "Swift"
	case "kotlin":
		return "Kotlin"
	case "nix-shell":
		return "Nix"
	case "just":
		return "Just"
	}
	return ""
}
