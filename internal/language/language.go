// Package language knows the language a wiki is written in.
//
// A language arrives as free text (a flag, a workflow input, a field of
// .last-update.json). Parse turns it into a canonical BCP 47 Tag or refuses it
// with an *UnknownError, so that a typing error never silently becomes English.
// The other functions answer what the rest of the program asks of a tag: its
// primary subtag (two tags with the same primary subtag are the same wiki
// language), the localized headings of generated index files, the localized
// concept type a page gets when it declares none, and an English name for
// prompts and messages.
//
// The tables are the ones of the OpenWiki format. A lookup tries the exact tag,
// then the primary subtag, then English. Nothing is built at start-up.
package language

import (
	"fmt"
	"strings"

	"golang.org/x/text/language"
)

// Default is the language of a wiki nobody chose a language for.
const Default = "en"

// Tag is a canonical BCP 47 language tag. The zero Tag means that no language
// was given.
type Tag struct{ canonical string }

// String returns the canonical form, such as "pt-BR", or "" for the zero Tag.
func (t Tag) String() string { return t.canonical }

// UnknownError reports a value that names no language.
type UnknownError struct{ Value string }

// Error names the value.
func (e *UnknownError) Error() string { return fmt.Sprintf("unknown language %q", e.Value) }

// Hint shows the accepted form.
func (e *UnknownError) Hint() string { return "give a language tag such as en, pt-BR or zh-CN" }

// Parse returns the canonical tag of s. Blank input is the zero Tag. An
// underscore is accepted for the hyphen and case does not matter, because both
// are how operating systems and people spell tags.
func Parse(s string) (Tag, error) {
	trimmed := strings.TrimSpace(s)
	if trimmed == "" {
		return Tag{}, nil
	}
	parsed, err := language.Parse(strings.ReplaceAll(trimmed, "_", "-"))
	if err != nil {
		return Tag{}, &UnknownError{Value: trimmed}
	}
	base, confidence := parsed.Base()
	if confidence == language.No || !natural(base.String()) || !strings.HasPrefix(parsed.String(), base.String()) {
		return Tag{}, &UnknownError{Value: trimmed}
	}
	return Tag{canonical: parsed.String()}, nil
}

// natural reports whether base names one language people write: not
// "undetermined", "multiple", "none", nor a private-use code.
func natural(base string) bool {
	switch base {
	case "und", "mul", "zxx", "mis":
		return false
	}
	return len(base) != 3 || base < "qaa" || base > "qtz"
}

// Primary returns the primary subtag of tag in lower case; an absent tag is
// Default.
func Primary(tag string) string {
	primary, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-"), "-")
	if primary == "" {
		return Default
	}
	return strings.ToLower(primary)
}

// EnglishName returns the English name of tag's language, with the tag itself
// where it says more than the name: "German", "Portuguese (pt-BR)". A language
// without a name in the table is named by its tag.
func EnglishName(tag string) string {
	tag = strings.TrimSpace(tag)
	if tag == "" {
		tag = Default
	}
	name, ok := englishNames()[Primary(tag)]
	switch {
	case !ok:
		return tag
	case Primary(tag) == strings.ToLower(tag):
		return name
	}
	return name + " (" + tag + ")"
}
