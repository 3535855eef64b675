package scan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPythonCallStates(t *testing.T) {
	const src = `
def m(x):
    if a():
        b()
    elif c():
        d()
    else:
        e()
    for y in f(): g()
    while h():
        i()
    try:
        j()
    except E:
        k()
    finally:
        l()
    with n() as o:
        p()
    match q():
        case 1:
            r()
    s() if t() else u()
    v(key=lambda: w())
    def inner():
        z()
    aa() or bb()
    return cc()
`
	want := []string{
		"m a", "m b?", "m c?", "m d?", "m e?", "m f", "m g?", "m h", "m i?", "m j", "m k?", "m l?", "m n", "m p", "m q", "m r?", "m s?", "m t?",
		"m u?", "m v'", "m w'", "m z'", "m aa?", "m bb?", "m cc",
	}
	if diff := cmp.Diff(want, callStates(Source("a.py", []byte(src)))); diff != "" {
		t.Error(diff)
	}
}

func TestPythonTypeOnly(t *testing.T) {
	const src = `import os
import typing as t

if t.TYPE_CHECKING:
    from .app import Flask
    import types

    class ProxyMixin(t.Protocol):
        def get(self): ...
else:
    import other

class Loader(t.Protocol):
    pass

#: The current context.
#: One a thread.
_cv_app: ContextVar[AppContext] = ContextVar("flask.app_ctx")

# Proxies what is current.
current_app: Flask = LocalProxy(_cv_app, "app")
`
	f := Source("a.py", []byte(src))
	imports := []Import{
		{Path: "os", Line: 1}, {Path: "typing", Name: "t", Line: 2}, {Path: ".app.Flask", Name: "Flask", Line: 5, TypeOnly: true},
		{Path: "types", Line: 6, TypeOnly: true}, {Path: "other", Line: 11},
	}
	if diff := cmp.Diff(imports, f.Imports); diff != "" {
		t.Error(diff)
	}
	got := map[string]bool{}
	docs := map[string]string{}
	for _, d := range f.Decls {
		got[d.Name], docs[d.Name] = d.TypeOnly, d.Doc
	}
	want := map[string]bool{"ProxyMixin": true, "get": true, "Loader": true, "_cv_app": false, "current_app": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if docs["_cv_app"] != "The current context.\nOne a thread." || docs["current_app"] != "Proxies what is current." {
		t.Error(docs)
	}
}
