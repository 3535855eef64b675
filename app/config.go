package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// configFile is OpenWiki's own file for the place of the wiki. Its other keys belong to other tools and are left alone.
const configFile = ".openwiki.json"

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

// wikiDirectory decides where the wiki is: the flag wins over .openwiki.json, which wins over "openwiki".
func wikiDirectory(files *atomicfile.Dir, flag string) (wiki.Dir, error) {
	if flag != "" {
		dir, err := wiki.ParseDir(flag)
		if err != nil {
			return "", &ConfigError{Name: "--wiki-dir", Err: err, Next: "name a directory inside the repository, such as openwiki or docs/wiki"}
		}
		return dir, nil
	}
	data, err := files.Read(configFile)
	if errors.Is(err, fs.ErrNotExist) {
		return wiki.DefaultDir, nil
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", configFile, err)
	}
	var config struct {
		WikiDirectory *string `json:"wikiDirectory"`
	}
	if err := json.Unmarshal(data, &config); err != nil {
		return "", &ConfigError{Name: configFile, Err: jsonError(data, err), Next: "correct the file, or remove it to use the directory openwiki"}
	}
	if config.WikiDirectory == nil {
		return wiki.DefaultDir, nil
	}
	dir, err := wiki.ParseDir(*config.WikiDirectory)
	if err != nil {
		return "", &ConfigError{Name: configFile + ": wikiDirectory", Err: err, Next: "name a directory inside the repository, such as openwiki or docs/wiki"}
	}
	return dir, nil
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
