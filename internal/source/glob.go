package source

import "strings"

// A glob is a compiled pattern. It is matched against bytes, as git does it, by following all ways through the pattern at once, so
// that no pattern takes more than time proportional to its length times that of the path.
type glob []token

// A token is one element of a pattern.
type token struct {
	op  tokenOp
	c   byte
	set *byteSet
}

type tokenOp uint8

const (
	opByte tokenOp = iota // exactly c
	opSet                 // one byte of set
	opStar                // any run without a slash
	opAll                 // any run
	opDirs                // nothing, or any run that ends with a slash
)

type byteSet [256 / 64]uint64

func (s *byteSet) add(c byte)      { s[c/64] |= 1 << (c % 64) }
func (s *byteSet) remove(c byte)   { s[c/64] &^= 1 << (c % 64) }
func (s *byteSet) has(c byte) bool { return s[c/64]&(1<<(c%64)) != 0 }

// compileGlob compiles a pattern. With paths set a slash is matched by slashes and by ** only. The pattern is valid but for classes that
// do not end and a backslash at the end; ok is false for these, which match nothing.
func compileGlob(p string, paths bool) (g glob, ok bool) {
	for i := 0; i < len(p); {
		switch p[i] {
		case '*':
			var t token
			t, i = compileStars(p, i, paths)
			g = append(g, t)
		case '?':
			set := byteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
			if paths {
				set.remove('/')
			}
			g = append(g, token{op: opSet, set: &set})
			i++
		case '[':
			set, next, ok := compileClass(p, i+1)
			if !ok {
				return nil, false
			}
			if paths {
				set.remove('/')
			}
			g = append(g, token{op: opSet, set: set})
			i = next
		case '\\':
			if i+1 == len(p) {
				return nil, false
			}
			g = append(g, token{op: opByte, c: lower(p[i+1])})
			i += 2
		default:
			g = append(g, token{op: opByte, c: lower(p[i])})
			i++
		}
	}
	return g, true
}

// compileStars compiles the run of asterisks at i and returns where the rest begins. Two or more of them span directories when they
// are a whole component.
func compileStars(p string, i int, paths bool) (token, int) {
	end := i
	for end < len(p) && p[end] == '*' {
		end++
	}
	rest := p[end:]
	switch {
	case !paths:
		return token{op: opAll}, end
	case end-i < 2 || i > 0 && p[i-1] != '/':
		return token{op: opStar}, end
	case rest == "" || strings.HasPrefix(rest, `\/`):
		return token{op: opAll}, end
	case rest[0] == '/':
		return token{op: opDirs}, end + 1
	}
	return token{op: opStar}, end
}

// match tells whether the glob matches all of name.
func (g glob) match(name string) bool {
	// State i says that the first i tokens have been matched. Names are short and patterns too, so the states fit on the stack.
	var space [2][128]bool
	now, next := space[0][:], space[1][:]
	if len(g) >= len(now) {
		now, next = make([]bool, len(g)+1), make([]bool, len(g)+1)
	}
	now, next = now[:len(g)+1], next[:len(g)+1]
	g.enter(now, 0)
	for i := range len(name) {
		if !g.advance(now, next, name[i]) {
			return false
		}
		now, next = next, now
		clear(next)
	}
	return now[len(g)]
}

// enter adds state i and the states that are reached from there without reading a byte.
func (g glob) enter(states []bool, i int) {
	states[i] = true
	for i < len(g) && g[i].op >= opStar {
		i++
		states[i] = true
	}
}

// advance follows every state over the byte c and tells whether one is left.
func (g glob) advance(now, next []bool, c byte) bool {
	left := false
	for i, t := range g {
		if !now[i] {
			continue
		}
		switch t.op {
		case opByte, opSet:
			if t.op == opByte && t.c == c || t.op == opSet && t.set.has(c) {
				g.enter(next, i+1)
				left = true
			}
		case opStar, opAll:
			if t.op == opAll || c != '/' {
				g.enter(next, i)
				left = true
			}
		case opDirs:
			// Only a slash leads out, so the states behind are not entered with every byte.
			next[i], left = true, true
			if c == '/' {
				g.enter(next, i+1)
			}
		}
	}
	return left
}
