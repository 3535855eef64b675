// Package awkward has what makes Go hard to read line by line.
package awkward

import (
	"fmt"
	"io"
	str "strings"
)

// Grouped values.
const (
	A = iota // first
	B
	C, D = "c", 'd'
)

const Single = `raw
func notAFunction() {
` + "x"

var (
	// ErrEmpty says that nothing is there.
	ErrEmpty = fmt.Errorf("empty")
	table    = map[string]func(int) error{
		"a": func(i int) error { return nil },
	}
)

var x, y = 1, 2

type (
	// ID names a thing.
	ID string

	Pair[K comparable, V any] struct {
		Key   K `json:"key"`
		Value V // the value
		inner struct {
			Deep int
		}
		io.Reader
		*Options
	}
)

type Options struct{ Name, Other string }

type Visitor interface {
	io.Closer
	Visit(id ID) (next Visitor, err error)
	~int | ~string
}

type Alias = str.Builder

type Func func(
	a int,
	b string,
) error

// Get returns the value.
//
// Deprecated: use Value.
func (p *Pair[K, V]) Get() V { return p.Value }

func (Pair[_, _]) Unnamed() {}

func Map[T, U any](in []T, f func(T) U) (out []U) {
	for _, v := range in {
		out = append(out, f(v))
	}
	type local struct{ a int }
	helper := func() { _ = local{} }
	helper()
	return
}

func multi(
	a int, // one {
	b string, /* two } */
) (int, error) {
	s := "}" + `}` + string('}')
	return len(s), nil
}

func external(a int) int

func init() {}
func init() {}
