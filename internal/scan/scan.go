// Package scan reads one source file at declaration level: names, kinds, line spans, doc comments, imports, entry points, and the
// configuration a file reads. Go files go through go/parser and are exact; every other supported language has a small hand-written
// line scanner (no cgo), checked against Universal Ctags on real code. An unknown language, a broken file or a binary never is an
// error: the facts that can be read are returned, the rest is absent.
//
// All line numbers are 1-based and inclusive; 0 means "not known". Text is valid UTF-8.
package scan

// Kind says what a declaration is, in the words of its language family.
type Kind string

// The kinds of declarations.
const (
	KindClass     Kind = "class"
	KindStruct    Kind = "struct"
	KindInterface Kind = "interface" // also a protocol or an abstract trait-like type of Java, C#, Kotlin, PHP, TypeScript
	KindTrait     Kind = "trait"
	KindEnum      Kind = "enum"
	KindType      Kind = "type" // alias, typedef, union or other named type
	KindModule    Kind = "module"
	KindFunction  Kind = "function"
	KindMethod    Kind = "method"
	KindConstant  Kind = "constant"
	KindVariable  Kind = "variable"
	KindField     Kind = "field" // struct fields and class properties, only where their doc or tag matters (Go: exported fields)
	KindMacro     Kind = "macro"
)

// A Decl is one declaration.
type Decl struct {
	Name       string
	Kind       Kind
	Parent     string   // enclosing type, receiver type or module ("" at file level), without package
	Bases      []string // named super types: extends, implements, impl Trait for T, embedded Go types
	Exported   bool     // visible outside its file or package by the rules of the language
	Start      int      // first line of the declaration itself (not of its doc comment or attributes)
	End        int      // last line of its body; Start where unknown
	Doc        string   // doc comment as plain text, markers and indentation removed, paragraphs kept
	DocStart   int
	DocEnd     int
	Signature  string // declaration head on one line, white space folded, no body, at most 200 bytes
	Value      string // literal value of a constant or variable where it is a short literal
	Deprecated bool
	Test       bool     // stands in a part of a product file that only tests use, as #[cfg(test)] mod tests
	TypeOnly   bool     // exists for type checkers only: a protocol, or declared under TYPE_CHECKING
	Fields     int      // number of fields that a type declares, exported or not
	Assigns    []string // fields of the receiver (self, this) that a method assigns, in order of the first assignment
}

// An Import names something another file or package provides.
type Import struct {
	Path string // as written, unquoted: "net/http", "./x", "java.util.List", "<stdio.h>", "crate::a::b"
	Name string // local name or alias where one is given
	Line int
	// TypeOnly tells that only types are imported: nothing of the other file runs because of it.
	TypeOnly bool
	Inline   bool // a path in the code names it, no declaration of its own
	// Under is the condition under which the declaration is compiled, as the arguments of Rust's cfg: `feature = "serde"`. It is "" where there
	// is none, and where the condition is that of tests.
	Under string
}

// An EnvRead is a read of an environment variable under a literal name, or under that of a constant which this file alone does not tell.
type EnvRead struct {
	Name    string
	Default string // literal default in the same expression, else ""
	Line    int
	Const   string // the constant that holds the name, where Name is ""
}

// A Flag is a command-line option defined with literal names.
type Flag struct {
	Name    string // without leading dashes
	Default string
	Usage   string
	Line    int
	Command string // the subcommand that it belongs to, by its full name; "" for the program itself, or where that is not known
}

// A Route is an HTTP route registered with a literal path.
type Route struct {
	Method  string // upper case, "" where any or unknown
	Path    string
	Handler string // identifier as written, "" where it is not a plain name
	Line    int
}

// A Command is a subcommand of a program, declared with a literal name (cobra, click, argparse, commander, picocli, …).
type Command struct {
	Name  string
	Short string
	Line  int
}

// An Entry is a place where execution starts.
type Entry struct {
	Kind string // "main" (program), "script" (executable or __main__ guard), "wsgi" …
	Name string // function, class or file
	Line int
	End  int
}

// A Test is one named test case.
type Test struct {
	Name string
	Line int
	End  int
}

// A Call is a call or construction written in a body, for following an operation. Receiver expressions are kept as written.
type Call struct {
	Caller    string // "Func" or "Type.Method" of the enclosing declaration
	Qualifier string // text before the last dot: package alias, variable, "this", "self"; "" for a plain call
	Name      string
	Line      int
	Branch    bool // not made on every run of the caller: in a condition, loop or handler, or after a return of its own level
	Nested    bool // made by a closure, callback, hook or local function that stands in the caller, not by the caller itself
}

// A Mark is a note that people left in the source.
type Mark struct {
	Kind string // "TODO", "FIXME", "HACK", "DEPRECATED"
	Text string
	Line int
}

// A Failure is a declared error value, error type, exception class or literal exit status.
type Failure struct {
	Name string // ErrNotFound, NotFoundError, "exit 3"
	Text string // literal message or doc's first sentence
	Line int
	End  int
}

// A File holds the facts of one file.
type File struct {
	Path     string
	Language string // display name: "Go", "Python", "TypeScript" …; "" where unknown
	Lines    int
	Binary   bool

	Package     string // package, namespace or module name as declared
	PackageLine int
	Doc         string // doc comment of the file, package or module, as plain text
	DocStart    int
	DocEnd      int

	Generated     bool // carries a generated-code mark
	GeneratedLine int
	IsTest        bool // a test file by name or content
	BuildTag      bool // left out of an ordinary build on a Unix system: Go build constraints, by comment or file name

	Decls    []Decl
	Imports  []Import
	Env      []EnvRead
	Flags    []Flag
	Routes   []Route
	Commands []Command
	Entries  []Entry
	Tests    []Test
	Calls    []Call
	Marks    []Mark
	Failures []Failure
}
