package evidence

import (
	"bytes"
	"unicode/utf8"
)

// decode returns data as the UTF-8 text the format hashes: valid text as it is,
// otherwise with one U+FFFD for each maximal invalid part, the rule of the
// WHATWG decoder. The result may share memory with data.
func decode(data []byte) []byte {
	if utf8.Valid(data) {
		return data
	}
	out := make([]byte, 0, len(data)+len(data)/8)
	for len(data) > 0 {
		if n := validPrefix(data); n > 0 {
			out = append(out, data[:n]...)
			data = data[n:]
			continue
		}
		out = utf8.AppendRune(out, utf8.RuneError)
		data = data[invalidPart(data):]
	}
	return out
}

// validPrefix returns the length of the longest valid start of data.
func validPrefix(data []byte) int {
	if utf8.Valid(data) {
		return len(data)
	}
	n := 0
	for n < len(data) {
		if data[n] < utf8.RuneSelf {
			n++
			continue
		}
		r, size := utf8.DecodeRune(data[n:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		n += size
	}
	return n
}

// invalidPart returns the length of the maximal invalid part that data starts
// with: a lead byte and the continuation bytes that could still have completed
// it, or one byte.
func invalidPart(data []byte) int {
	need, low, high := 0, byte(0x80), byte(0xBF)
	switch c := data[0]; {
	case 0xC2 <= c && c <= 0xDF:
		need = 1
	case c == 0xE0:
		need, low = 2, 0xA0
	case c == 0xED:
		need, high = 2, 0x9F
	case 0xE1 <= c && c <= 0xEF:
		need = 2
	case c == 0xF0:
		need, low = 3, 0x90
	case 0xF1 <= c && c <= 0xF3:
		need = 3
	case c == 0xF4:
		need, high = 3, 0x8F
	}
	n := 1
	for n <= need && n < len(data) && low <= data[n] && data[n] <= high {
		n++
		low, high = 0x80, 0xBF
	}
	return n
}

// toLF returns text with CRLF line ends written as LF; the same slice when
// there are none.
func toLF(text []byte) []byte {
	if !bytes.Contains(text, []byte("\r\n")) {
		return text
	}
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

// toCRLF returns text with every line end written as CRLF.
func toCRLF(text []byte) []byte {
	return bytes.ReplaceAll(toLF(text), []byte("\n"), []byte("\r\n"))
}

// lines is a text split after each LF. A text that ends in LF has no empty last
// line; an empty text has no lines.
type lines struct {
	text   []byte
	starts []int // offset of each line, and len(text) at the end
}

func splitLines(text []byte) *lines {
	starts := make([]int, 1, 2+bytes.Count(text, []byte("\n")))
	for at := 0; at < len(text); {
		next := bytes.IndexByte(text[at:], '\n')
		if next < 0 {
			starts = append(starts, len(text))
			break
		}
		at += next + 1
		starts = append(starts, at)
	}
	return &lines{text: text, starts: starts}
}

// count returns the number of lines.
func (l *lines) count() int { return len(l.starts) - 1 }

// span returns the bytes of the lines from (inclusive) to to (exclusive),
// counted from 0.
func (l *lines) span(from, to int) []byte { return l.text[l.starts[from]:l.starts[to]] }
