package action

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
)

// fileCommand appends one value to a file of the runner, such as that of GITHUB_OUTPUT: "name<<delimiter", the value, the delimiter. The
// delimiter is random and no part of the value, so that a page title cannot end the value early and set an output of its own.
func fileCommand(path, name, value string) error {
	if path == "" {
		return nil // not in a workflow: nobody reads it
	}
	if name == "" || strings.ContainsAny(name, "\r\n=<") {
		return fmt.Errorf("write output: %q is no name", name)
	}
	delimiter, err := newDelimiter(value)
	if err != nil {
		return err
	}
	return appendFile(path, name+"<<"+delimiter+"\n"+value+"\n"+delimiter+"\n")
}

func newDelimiter(value string) (string, error) {
	for range 8 {
		var random [16]byte
		if _, err := rand.Read(random[:]); err != nil {
			return "", fmt.Errorf("make a delimiter: %w", err)
		}
		delimiter := "wikiwright_" + hex.EncodeToString(random[:])
		if !strings.Contains(value, delimiter) {
			return delimiter, nil
		}
	}
	return "", errors.New("make a delimiter: the value holds every one")
}

// appendFile appends to a file that the runner made. It is no file of the wiki and needs no durable write.
func appendFile(path, text string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("write file command: %w", err)
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write file command: %w", err)
	}
	return nil
}
