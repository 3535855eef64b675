package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// configFile is OpenWiki's own file for the place of the wiki. Its other keys belong to other tools and are left alone.
const (
	configFile       = ".openwiki.json"
	wikiDirectoryKey = "wikiDirectory"
)

// A ConfigError is a setting that cannot be used. Nothing was done.
type ConfigError struct {
	Name string // the flag or file
	Err  error
	Next string // what to do
}

// Error implements error.
func (e *ConfigError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *ConfigError) Unwrap() error { return e.Err }

// Hint says what to do next.
func (e *ConfigError) Hint() string { return e.Next }

// wikiDirectory decides where the wiki is: the flag wins over .openwiki.json, which wins over "openwiki". A note tells of a key that may
// be meant for it and is not.
func wikiDirectory(files *atomicfile.Dir, flag string) (_ wiki.Dir, note string, _ error) {
	if flag != "" {
		dir, err := wiki.ParseDir(flag)
		if err != nil {
			return "", "", &ConfigError{Name: "--wiki-dir", Err: err, Next: "name a directory inside the repository, such as openwiki or docs/wiki"}
		}
		return dir, "", nil
	}
	data, err := files.Read(configFile)
	if errors.Is(err, fs.ErrNotExist) {
		return wiki.DefaultDir, "", nil
	}
	if err != nil {
		return "", "", fmt.Errorf("read %s: %w", configFile, err)
	}
	var config struct {
		WikiDirectory *string `json:"wikiDirectory"`
	}
	if err := json.Unmarshal(data, &config); err != nil {
		return "", "", &ConfigError{Name: configFile, Err: jsonError(data, err), Next: "correct the file, or remove it to use the directory openwiki"}
	}
	if config.WikiDirectory == nil {
		return wiki.DefaultDir, misspelt(data), nil
	}
	dir, err := wiki.ParseDir(*config.WikiDirectory)
	if err != nil {
		return "", "", &ConfigError{Name: configFile + ": wikiDirectory", Err: err, Next: "name a directory inside the repository, such as openwiki or docs/wiki"}
	}
	return dir, "", nil
}

// misspelt tells of a key that is nearly ours, "" when there is none. The other keys belong to other tools, so that no key is wrong.
func misspelt(data []byte) string {
	var keys map[string]json.RawMessage
	if json.Unmarshal(data, &keys) != nil {
		return ""
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if !strings.EqualFold(key, wikiDirectoryKey) && nearly(key, wikiDirectoryKey) {
			return fmt.Sprintf("%s: the key %.60q is not known; %s names the place of the wiki", configFile, key, wikiDirectoryKey)
		}
	}
	return ""
}

// nearly tells whether a key is the other with up to two letters wrong, or short for it, in any case and with any separators.
func nearly(key, other string) bool {
	key, other = letters(key), letters(other)
	return key == "wikidir" || distance(key, other) <= 2
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// distance counts the letters to insert, remove or replace that make one word the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			above := row[j+1]
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			row[j+1] = min(cost, above+1, row[j]+1)
			diagonal = above
		}
	}
	return row[len(b)]
}

// jsonError adds the line to a syntax error.
func jsonError(data []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	line := 1
	for _, b := range data[:min(int(syntax.Offset), len(data))] {
		if b == '\n' {
			line++
		}
	}
	return fmt.Errorf("line %d: %w", line, err)
}
