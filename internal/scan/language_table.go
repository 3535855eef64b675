package scan

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
