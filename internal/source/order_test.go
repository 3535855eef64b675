package source

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestCompareCodeUnits(t *testing.T) {
	names := []string{"", "A", "Zeta", "a", "a-b", "a/b", "a10", "a_b", "ab", "é", "語", "\U0001F600", "\U0001F600a", "\U0010FFFF", "\uE000", "\uFFFD", "\uFFFDa"}
	for i, a := range names {
		for j, b := range names {
			if got := CompareCodeUnits(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("compare(%q, %q) = %d", a, b, got)
			}
		}
	}
	runes := []rune("aZ/é語\uD7FF\uE000\uFFFD\U00010000\U0001F600\U0010FFFF")
	random := rand.New(rand.NewPCG(3, 4))
	text := func() string {
		var b strings.Builder
		for range random.IntN(4) {
			b.WriteRune(runes[random.IntN(len(runes))])
		}
		return b.String()
	}
	for range 5000 {
		a, b := text(), text()
		want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		if got := CompareCodeUnits(a, b); (got < 0) != (want < 0) || (got > 0) != (want > 0) {
			t.Fatalf("compare(%q, %q) = %d, want %d", a, b, got, want)
		}
	}
}
