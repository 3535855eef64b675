package survey

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadLinked(t *testing.T) {
	const makefile = `# -lcommented
LIBS=-lm -lz
ifeq ($(USE_TLS),yes)
	LIBS += ../deps/client/libclient_ssl.a -lssl
ifdef DEEP
	LIBS += -lthird
endif
endif
SYS := $(shell $(PKG_CONFIG) --libs libsystemd)
server: server.o
	$(CC) -o $@ $^ ../deps/client/libclient.a ../deps/lua/src/liblua.a $(LIBS) -lssl
`
	var got []External
	for _, l := range readLinked("src/Makefile", []byte(makefile)) {
		got = append(got, External{Name: l.name, Kind: l.kind, Ref: l.ref})
	}
	at := func(n int) Ref { return Ref{"src/Makefile", n, n} }
	want := []External{
		{Name: "z", Ref: at(2)}, {Name: "client", Kind: "vendored", Ref: at(11)}, {Name: "ssl", Ref: at(11)}, {Name: "third", Kind: "optional", Ref: at(6)},
		{Name: "libsystemd", Kind: "optional", Ref: at(9)}, {Name: "lua", Kind: "vendored", Ref: at(11)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("libraries (-want +got):\n%s", diff)
	}
}
