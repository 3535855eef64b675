package survey

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMadePrograms(t *testing.T) {
	makefile := "SERVER_NAME=db-server$(PROG_SUFFIX)\nSERVER_OBJ=server.o \\\n net.o\nSENTINEL_NAME=db-sentinel\nLIB=x.so\n" +
		"$(SERVER_NAME): $(SERVER_OBJ)\n\t$(LD) -o $@ $^\n$(SENTINEL_NAME): $(SERVER_NAME)\n\t$(DB_INSTALL) $(SERVER_NAME) $(SENTINEL_NAME)\n" +
		"$(LIB): tls.o\n\t$(CC) -o $@ -shared $^\ntool: tool.o\n\tcc -o $@ $^\n%.o: %.c\n\tcc -o $@ -c $<\n"
	main := "int main(void) { return 0; }\n"
	repo := surveyTree(t, map[string]string{
		"src/Makefile": makefile, "src/server.c": main, "src/net.c": "int net;\n", "src/tool.c": main, "src/lone.c": main,
	}, 1)
	var got []string
	for _, p := range repo.Programs {
		got = append(got, p.Name+" "+p.Entry.Path)
	}
	want := []string{"db-sentinel src/server.c", "db-server src/server.c", "lone.c src/lone.c", "tool src/tool.c"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("programs (-want +got):\n%s", diff)
	}
}
