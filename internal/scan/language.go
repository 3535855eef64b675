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

// languageOfExtension maps an extension in lower case, with its dot.
func languageOfExtension(ext string) string {
	if l := programmingExtension(ext); l != "" {
		return l
	}
	return dataExtension(ext)
}

func programmingExtension(ext string) string {
	switch ext {
	case ".go":
		return "Go"
	case ".py", ".pyi", ".pyw":
		return "Python"
	case ".pyx", ".pxd":
		return "Cython"
	case ".js", ".mjs", ".cjs", ".jsx", ".es6":
		return "JavaScript"
	case ".ts", ".tsx", ".mts", ".cts":
		return "TypeScript"
	case ".vue":
		return "Vue"
	case ".svelte":
		return "Svelte"
	case ".astro":
		return "Astro"
	case ".java":
		return "Java"
	case ".kt", ".kts":
		return "Kotlin"
	case ".scala", ".sc", ".sbt":
		return "Scala"
	case ".groovy", ".gradle", ".gvy":
		return "Groovy"
	case ".clj", ".cljs", ".cljc", ".edn":
		return "Clojure"
	case ".cs", ".csx":
		return "C#"
	case ".fs", ".fsx", ".fsi":
		return "F#"
	case ".vb":
		return "Visual Basic"
	case ".rs":
		return "Rust"
	case ".c", ".h":
		return "C"
	case ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".ixx", ".cppm":
		return "C++"
	case ".cu", ".cuh":
		return "CUDA"
	case ".m":
		return "Objective-C"
	case ".mm":
		return "Objective-C++"
	case ".swift":
		return "Swift"
	case ".dart":
		return "Dart"
	case ".rb", ".rake", ".gemspec", ".ru", ".rbi":
		return "Ruby"
	case ".php", ".phtml", ".php5", ".php7", ".inc":
		return "PHP"
	case ".pl", ".pm", ".t":
		return "Perl"
	case ".raku", ".rakumod", ".p6":
		return "Raku"
	case ".lua":
		return "Lua"
	case ".r":
		return "R"
	case ".jl":
		return "Julia"
	case ".ex", ".exs":
		return "Elixir"
	case ".erl", ".hrl":
		return "Erlang"
	case ".gleam":
		return "Gleam"
	case ".hs", ".lhs":
		return "Haskell"
	case ".ml", ".mli":
		return "OCaml"
	case ".elm":
		return "Elm"
	case ".purs":
		return "PureScript"
	case ".re", ".rei":
		return "Reason"
	case ".res", ".resi":
		return "ReScript"
	case ".zig", ".zon":
		return "Zig"
	case ".nim", ".nims":
		return "Nim"
	case ".v":
		return "V"
	case ".d":
		return "D"
	case ".cr":
		return "Crystal"
	case ".odin":
		return "Odin"
	case ".mojo":
		return "Mojo"
	case ".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08":
		return "Fortran"
	case ".pas", ".pp", ".dpr", ".lpr":
		return "Pascal"
	case ".adb", ".ads":
		return "Ada"
	case ".cob", ".cbl", ".cpy":
		return "COBOL"
	case ".lisp", ".lsp", ".cl":
		return "Common Lisp"
	case ".el":
		return "Emacs Lisp"
	case ".scm", ".ss":
		return "Scheme"
	case ".rkt":
		return "Racket"
	case ".tcl":
		return "Tcl"
	case ".coffee":
		return "CoffeeScript"
	case ".hx":
		return "Haxe"
	case ".sol":
		return "Solidity"
	case ".vy":
		return "Vyper"
	case ".move":
		return "Move"
	case ".cairo":
		return "Cairo"
	case ".s", ".asm":
		return "Assembly"
	case ".wat", ".wast":
		return "WebAssembly"
	case ".ll":
		return "LLVM IR"
	case ".sv", ".svh":
		return "SystemVerilog"
	case ".vhd", ".vhdl":
		return "VHDL"
	case ".glsl", ".vert", ".frag", ".comp":
		return "GLSL"
	case ".hlsl":
		return "HLSL"
	case ".wgsl":
		return "WGSL"
	case ".metal":
		return "Metal"
	case ".gd":
		return "GDScript"
	case ".apex", ".trigger":
		return "Apex"
	case ".abap":
		return "ABAP"
	case ".sh", ".bash", ".zsh", ".ksh", ".bats":
		return "Shell"
	case ".fish":
		return "Fish"
	case ".ps1", ".psm1", ".psd1":
		return "PowerShell"
	case ".bat", ".cmd":
		return "Batch"
	case ".awk":
		return "Awk"
	case ".vim":
		return "Vim script"
	case ".nix":
		return "Nix"
	case ".bzl", ".star", ".bazel":
		return "Starlark"
	case ".cue":
		return "CUE"
	case ".jsonnet", ".libsonnet":
		return "Jsonnet"
	case ".dhall":
		return "Dhall"
	case ".rego":
		return "Rego"
	case ".tf", ".tfvars", ".hcl":
		return "HCL"
	case ".bicep":
		return "Bicep"
	case ".pony":
		return "Pony"
	case ".st":
		return "Smalltalk"
	case ".pro":
		return "Prolog"
	case ".agda":
		return "Agda"
	case ".idr":
		return "Idris"
	case ".lean":
		return "Lean"
	case ".thy":
		return "Isabelle"
	case ".ahk":
		return "AutoHotkey"
	case ".applescript":
		return "AppleScript"
	}
	return ""
}

func dataExtension(ext string) string {
	switch ext {
	case ".proto":
		return "Protocol Buffers"
	case ".thrift":
		return "Thrift"
	case ".avdl", ".avsc":
		return "Avro"
	case ".capnp":
		return "Cap'n Proto"
	case ".fbs":
		return "FlatBuffers"
	case ".graphql", ".gql", ".graphqls":
		return "GraphQL"
	case ".prisma":
		return "Prisma"
	case ".sql", ".psql", ".pgsql":
		return "SQL"
	case ".html", ".htm", ".xhtml":
		return "HTML"
	case ".css":
		return "CSS"
	case ".scss":
		return "SCSS"
	case ".sass":
		return "Sass"
	case ".less":
		return "Less"
	case ".styl":
		return "Stylus"
	case ".erb":
		return "ERB"
	case ".ejs":
		return "EJS"
	case ".hbs", ".handlebars":
		return "Handlebars"
	case ".mustache":
		return "Mustache"
	case ".j2", ".jinja", ".jinja2":
		return "Jinja"
	case ".twig":
		return "Twig"
	case ".liquid":
		return "Liquid"
	case ".haml":
		return "Haml"
	case ".slim":
		return "Slim"
	case ".pug", ".jade":
		return "Pug"
	case ".cshtml", ".razor":
		return "Razor"
	case ".tmpl", ".gotmpl", ".tpl", ".gohtml":
		return "Go template"
	case ".templ":
		return "templ"
	case ".json", ".json5", ".jsonc", ".geojson", ".ndjson", ".jsonl", ".webmanifest":
		return "JSON"
	case ".yaml", ".yml":
		return "YAML"
	case ".toml":
		return "TOML"
	case ".ini", ".cfg", ".conf", ".properties":
		return "INI"
	case ".xml", ".xsd", ".xsl", ".xslt", ".csproj", ".fsproj", ".vbproj", ".props", ".targets", ".plist", ".xaml", ".resx", ".wsdl":
		return "XML"
	case ".sln":
		return "Visual Studio solution"
	case ".svg":
		return "SVG"
	case ".csv", ".tsv":
		return "CSV"
	case ".md", ".markdown", ".mdown":
		return "Markdown"
	case ".mdx":
		return "MDX"
	case ".rst":
		return "reStructuredText"
	case ".adoc", ".asciidoc":
		return "AsciiDoc"
	case ".org":
		return "Org"
	case ".tex", ".sty", ".cls", ".bib":
		return "TeX"
	case ".typ":
		return "Typst"
	case ".texi", ".texinfo":
		return "Texinfo"
	case ".pod":
		return "Pod"
	case ".txt", ".text":
		return "Text"
	case ".po", ".pot":
		return "Gettext"
	case ".ipynb":
		return "Jupyter notebook"
	case ".cmake":
		return "CMake"
	case ".mk", ".mak":
		return "Makefile"
	case ".just":
		return "Just"
	case ".dockerfile":
		return "Dockerfile"
	case ".service", ".timer", ".socket":
		return "systemd unit"
	case ".http", ".rest":
		return "HTTP request"
	case ".feature":
		return "Gherkin"
	case ".y", ".yy":
		return "Yacc"
	case ".l", ".lex":
		return "Lex"
	case ".g4":
		return "ANTLR"
	case ".peg", ".pegjs":
		return "PEG"
	case ".ebnf", ".bnf":
		return "EBNF"
	case ".diff", ".patch":
		return "Diff"
	case ".puml", ".plantuml":
		return "PlantUML"
	case ".mmd", ".mermaid":
		return "Mermaid"
	case ".dot", ".gv":
		return "Graphviz"
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
