package gitrepo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// ErrMissingObject is an object that is not in the repository.
var ErrMissingObject = errors.New("object is not in this repository")

// Blobs returns the contents of blobs, in the order asked for, from one git process. A missing one is an [ErrMissingObject].
func (r *Repo) Blobs(ctx context.Context, oids []string) ([][]byte, error) {
	if len(oids) == 0 {
		return nil, nil
	}
	reader, err := r.openBatch(ctx)
	if err != nil {
		return nil, fmt.Errorf("read blobs: %w", err)
	}
	defer reader.close()
	contents := make([][]byte, len(oids))
	for i, oid := range oids {
		if !isObjectName(oid) {
			return nil, fmt.Errorf("read blobs: %w: %.60q", ErrMissingObject, oid)
		}
		object, err := reader.object(oid)
		if err == nil && object.kind != "blob" {
			err = fmt.Errorf("object %s is a %s", oid, object.kind)
		}
		if err != nil {
			return nil, fmt.Errorf("read blobs: %w", err)
		}
		contents[i] = object.data
	}
	return contents, nil
}

// A batch is a running `git cat-file --batch`: one name in, one object out. It sees what git sees in every kind of clone: packs,
// alternates, replaced objects left aside, and objects that a partial clone still has to fetch.
type batch struct {
	ctx    context.Context
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

type rawObject struct {
	oid, kind string
	data      []byte
}

func (r *Repo) openBatch(ctx context.Context) (*batch, error) {
	b := &batch{ctx: ctx, cmd: command(ctx, r.git, r.Root, "cat-file", "--batch")}
	b.cmd.Env = append(b.cmd.Env, "GIT_NO_REPLACE_OBJECTS=1")
	b.cmd.Stderr = &b.stderr
	in, err := b.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("run git: %w", err)
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("run git: %w", err)
	}
	if err := b.cmd.Start(); err != nil {
		return nil, fmt.Errorf("run git: %w", err)
	}
	b.in, b.out = in, bufio.NewReaderSize(out, 64<<10)
	return b, nil
}

// close ends the process. What it says in the end is of no use any more.
func (b *batch) close() {
	_ = b.in.Close()
	_, _ = io.Copy(io.Discard, b.out)
	_ = b.cmd.Wait()
}

func (b *batch) fail(err error) error {
	if ctxErr := b.ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	return fmt.Errorf("git cat-file: %w", err)
}

// object reads one object. The name is an object name, or one with ^{tree} after it.
func (b *batch) object(name string) (rawObject, error) {
	if _, err := io.WriteString(b.in, name+"\n"); err != nil {
		return rawObject{}, b.fail(err)
	}
	header, err := b.out.ReadString('\n')
	if err != nil {
		return rawObject{}, b.fail(err)
	}
	object, size, err := parseBatchHeader(header)
	if err != nil {
		return rawObject{}, err
	}
	object.data = make([]byte, size)
	if _, err := io.ReadFull(b.out, object.data); err != nil {
		return rawObject{}, b.fail(err)
	}
	if end, err := b.out.ReadByte(); err != nil || end != '\n' {
		return rawObject{}, b.fail(errors.New("malformed end of an object"))
	}
	return object, nil
}

// maxObject bounds what is read into memory; GitHub accepts no file above 100 MB.
const maxObject = 256 << 20

// parseBatchHeader reads "<object> <type> <size>", or "<name> missing".
func parseBatchHeader(header string) (rawObject, int, error) {
	header = strings.TrimSuffix(header, "\n")
	if name, ok := strings.CutSuffix(header, " missing"); ok {
		return rawObject{}, 0, fmt.Errorf("%w: %.60q", ErrMissingObject, name)
	}
	fields := strings.Split(header, " ")
	if len(fields) != 3 || !isObjectName(fields[0]) {
		return rawObject{}, 0, fmt.Errorf("malformed answer of git cat-file %.100q", header)
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil || size < 0 || size > maxObject {
		return rawObject{}, 0, fmt.Errorf("object %s of size %.20q is not read", fields[0], fields[2])
	}
	return rawObject{oid: fields[0], kind: fields[1]}, size, nil
}

// tree reads the tree of a commit.
func (b *batch) tree(commit string) (oid string, data []byte, err error) {
	if !isObjectName(commit) {
		return "", nil, &UnknownCommitError{Commit: commit}
	}
	object, err := b.object(commit + "^{tree}")
	if errors.Is(err, ErrMissingObject) {
		err = &UnknownCommitError{Commit: commit}
	}
	return object.oid, object.data, err
}
