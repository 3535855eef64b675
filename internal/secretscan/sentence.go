package secretscan

import (
	"bytes"
	"slices"
	"strings"
)

// shortestToken is the length from which a word may be a token of a known form.
const shortestToken = 16

// maskSentenceEnds replaces the punctuation behind a long word by spaces. Many rules take a secret only for one when white space or a
// quote follows; in prose it is often a full stop, a comma or a bracket. The text keeps its length.
func maskSentenceEnds(text []byte) []byte {
	const marks, between = ".,:!?)]}*|>", " \t\r\n\"'`\\<"
	var masked []byte
	for start := 0; start < len(text); {
		length := bytes.IndexAny(text[start:], between)
		if length < 0 {
			length = len(text) - start
		}
		if length > shortestToken {
			word := text[start : start+length]
			if bare := bytes.TrimRight(word, marks); len(bare) < len(word) && len(bare) >= shortestToken {
				if masked == nil {
					masked = slices.Clone(text)
				}
				copy(masked[start+len(bare):], strings.Repeat(" ", len(word)-len(bare)))
			}
		}
		start += length + 1
	}
	if masked == nil {
		return text
	}
	return masked
}
