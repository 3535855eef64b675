package scan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPythonDeclarations(t *testing.T) {
	const src = `"""Ships parcels.

    Second paragraph.
"""
LIMIT = 3  # per day
#: Where to look.
PATH: str = "/tmp"
items = []
key = lambda x: x


@dataclass
class Box(Base, Generic[T], metaclass=Meta):
    """Holds.

    More.
    """

    name: str = "x"
    MAX = 1
    _hidden: int

    @property
    def size(self) -> int:
        """Its size."""
        def local(): pass
        return 1

    async def send(self, to,
                   *, now=True): pass

    class Error(Exception): "It broke."


class Kind(enum.Enum):
    ONE = "1"
    two = 2


@deprecated("use ship")
def _old(): ...
`
	want := []Decl{
		{Name: "LIMIT", Kind: KindConstant, Exported: true, Start: 5, End: 5, Doc: "per day", DocStart: 5, DocEnd: 5, Signature: "LIMIT = 3", Value: "3"},
		{Name: "PATH", Kind: KindConstant, Exported: true, Start: 7, End: 7, Doc: "Where to look.", DocStart: 6, DocEnd: 6, Signature: `PATH: str = "/tmp"`, Value: `"/tmp"`},
		{Name: "items", Kind: KindVariable, Exported: true, Start: 8, End: 8, Signature: "items = []"},
		{Name: "key", Kind: KindFunction, Exported: true, Start: 9, End: 9, Signature: "key = lambda x: x"},
		{Name: "Box", Kind: KindClass, Bases: []string{"Base", "Generic"}, Exported: true, Start: 13, End: 32, Doc: "Holds.\n\nMore.", DocStart: 14, DocEnd: 17, Signature: "class Box(Base, Generic[T], metaclass=Meta)"},
		{Name: "name", Kind: KindField, Parent: "Box", Exported: true, Start: 19, End: 19, Signature: `name: str = "x"`, Value: `"x"`},
		{Name: "MAX", Kind: KindConstant, Parent: "Box", Exported: true, Start: 20, End: 20, Signature: "MAX = 1", Value: "1"},
		{Name: "_hidden", Kind: KindField, Parent: "Box", Start: 21, End: 21, Signature: "_hidden: int"},
		{Name: "size", Kind: KindMethod, Parent: "Box", Exported: true, Start: 24, End: 27, Doc: "Its size.", DocStart: 25, DocEnd: 25, Signature: "def size(self) -> int"},
		{Name: "send", Kind: KindMethod, Parent: "Box", Exported: true, Start: 29, End: 30, Signature: "async def send(self, to, *, now=True)"},
		{Name: "Error", Kind: KindClass, Parent: "Box", Bases: []string{"Exception"}, Exported: true, Start: 32, End: 32, Doc: "It broke.", DocStart: 32, DocEnd: 32, Signature: "class Error(Exception)"},
		{Name: "Kind", Kind: KindClass, Bases: []string{"enum.Enum"}, Exported: true, Start: 35, End: 37, Signature: "class Kind(enum.Enum)"},
		{Name: "ONE", Kind: KindConstant, Parent: "Kind", Exported: true, Start: 36, End: 36, Signature: `ONE = "1"`, Value: `"1"`},
		{Name: "two", Kind: KindConstant, Parent: "Kind", Exported: true, Start: 37, End: 37, Signature: "two = 2", Value: "2"},
		{Name: "_old", Kind: KindFunction, Start: 41, End: 41, Signature: "def _old()", Deprecated: true},
	}
	f := Source("a.py", []byte(src))
	if diff := cmp.Diff(want, f.Decls); diff != "" {
		t.Error(diff)
	}
	if f.Doc != "Ships parcels.\n\nSecond paragraph." || f.DocStart != 1 || f.DocEnd != 4 {
		t.Errorf("doc = %q, lines %d to %d", f.Doc, f.DocStart, f.DocEnd)
	}
	if diff := cmp.Diff([]Failure{{"Error", "It broke.", 32, 32}}, f.Failures); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Mark{{"DEPRECATED", "use ship", 41}}, f.Marks); diff != "" {
		t.Error(diff)
	}
}

func TestPythonModule(t *testing.T) {
	const src = `import os, a.b as c
from . import x
from ..y.z import (p as q,
                   r)  # both
from w import *
__all__ = ["main", "Missing"]
DEBUG = os.environ.get("APP_DEBUG", "no")
token = os.environ["APP_TOKEN"]
os.environ["APP_SET"] = "1"
port = int(os.getenv("APP_PORT", 80)); environ["PATH_INFO"]

def main():
    helper(1).go(os.path.join("a"))
    sys.exit(2)

def helper(): pass

if __name__ == "__main__":
    main()
    # the end
other = 1
`
	f := Source("pkg/a.py", []byte(src))
	imports := []Import{{Path: "os", Line: 1}, {Path: "a.b", Name: "c", Line: 1}, {Path: ".x", Name: "x", Line: 2}, {Path: "..y.z.p", Name: "q", Line: 3}, {Path: "..y.z.r", Name: "r", Line: 4}, {Path: "w", Name: "*", Line: 5}}
	if diff := cmp.Diff(imports, f.Imports); diff != "" {
		t.Error(diff)
	}
	env := []EnvRead{{Name: "APP_DEBUG", Default: "no", Line: 7}, {Name: "APP_TOKEN", Default: "", Line: 8}, {Name: "APP_PORT", Default: "80", Line: 10}}
	if diff := cmp.Diff(env, f.Env); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Entry{{"script", "a.py", 18, 19}}, f.Entries); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Failure{{"exit 2", "", 14, 14}}, f.Failures); diff != "" {
		t.Error(diff)
	}
	calls := []Call{{Caller: "main", Name: "helper", Line: 13}, {Caller: "main", Qualifier: "()", Name: "go", Line: 13}, {Caller: "main", Qualifier: "os.path", Name: "join", Line: 13}, {Caller: "main", Qualifier: "sys", Name: "exit", Line: 14}}
	var got []Call
	for _, c := range f.Calls {
		if c.Caller != "" {
			got = append(got, c)
		}
	}
	if diff := cmp.Diff(calls, got); diff != "" {
		t.Error(diff)
	}
	exported := map[string]bool{}
	for _, d := range f.Decls {
		exported[d.Name] = d.Exported
	}
	if !exported["main"] || exported["helper"] || exported["DEBUG"] {
		t.Errorf("exported = %v", exported)
	}
}

func TestPythonCommandLine(t *testing.T) {
	const src = `import argparse, click

parser = argparse.ArgumentParser()
parser.add_argument("-v", "--verbose", action="store_true", help="say "
                    "more")
parser.add_argument("path")
sub = parser.add_subparsers()
run = sub.add_parser("run", help="Run it.")

@click.group()
def cli(): pass

@cli.command("push-all")
@click.option("--to", "-t", default="x", envvar="APP_TO", help="Target.")
def push(to):
    """Pushes. All of it."""

@cli.command()
def list_items():
    """Lists."""
`
	f := Source("a.py", []byte(src))
	flags := []Flag{{Name: "to", Default: "x", Usage: "Target.", Line: 14}, {Name: "verbose", Default: "", Usage: "say more", Line: 4}}
	if diff := cmp.Diff(flags, f.Flags); diff != "" {
		t.Error(diff)
	}
	commands := []Command{{"cli", "", 11}, {"push-all", "Pushes.", 15}, {"list-items", "Lists.", 19}, {"run", "Run it.", 8}}
	if diff := cmp.Diff(commands, f.Commands); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]EnvRead{{Name: "APP_TO", Default: "", Line: 14}}, f.Env); diff != "" {
		t.Error(diff)
	}
}

func TestPythonRoutes(t *testing.T) {
	const flask = `from flask import Flask, Blueprint
app = Flask(__name__)
bp = Blueprint("b", __name__, url_prefix="/api")

@app.route("/")
def index(): pass

@bp.route("/x", methods=["GET", "POST"])
def x(): pass

@cache.get("no")
def y(): pass
`
	want := []Route{{"GET", "/", "index", 5}, {"GET", "/api/x", "x", 8}, {"POST", "/api/x", "x", 8}}
	got := Source("a.py", []byte(flask))
	if diff := cmp.Diff(want, got.Routes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Entry{{"wsgi", "app", 2, 2}}, got.Entries); diff != "" {
		t.Error(diff)
	}
	const fastapi = `from fastapi import APIRouter
router = APIRouter(prefix="/v1")

@router.get("/pets/{id}")
async def pet(id): pass
`
	if diff := cmp.Diff([]Route{{"GET", "/v1/pets/{id}", "pet", 4}}, Source("a.py", []byte(fastapi)).Routes); diff != "" {
		t.Error(diff)
	}
	const django = `from django.urls import path, include
urlpatterns = [
    path("pets/<int:id>/", views.pet, name="pet"),
    path("list/", views.List.as_view()),
    path("sub/", include("sub.urls")),
]
`
	routes := []Route{{"", "pets/<int:id>/", "views.pet", 3}, {"", "list/", "views.List", 4}}
	if diff := cmp.Diff(routes, Source("urls.py", []byte(django)).Routes); diff != "" {
		t.Error(diff)
	}
}

func TestPythonTests(t *testing.T) {
	const src = `def test_ship():
    assert ship()

class TestBox(unittest.TestCase):
    def test_full(self):
        pass

    def helper(self): pass
`
	want := []Test{{"test_ship", 1, 2}, {"TestBox.test_full", 5, 6}}
	if diff := cmp.Diff(want, Source("tests/test_a.py", []byte(src)).Tests); diff != "" {
		t.Error(diff)
	}
	if got := Source("a.py", []byte(src)).Tests; got != nil {
		t.Errorf("tests outside of a test file: %v", got)
	}
}

func TestPythonUnclosedBracket(t *testing.T) {
	f := Source("a.py", []byte("x = (1,\n\ndef f():\n    return 2\n"))
	if n := len(f.Decls); n == 0 || f.Decls[n-1].Name != "f" || f.Decls[n-1].End != 4 {
		t.Errorf("declarations = %+v", f.Decls)
	}
}
