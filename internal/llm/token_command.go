package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// commandTimeout is how long a command that prints a token may take.
const commandTimeout = time.Minute

// runTokenCommand returns what the command prints. Neither its output nor its arguments are in an error: both may be secret.
func runTokenCommand(ctx context.Context, command []string) (Secret, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdout = &out
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		return "", &Error{Class: ClassConfig, Err: fmt.Errorf("run the token command %s: %w", command[0], withoutPath(err)), Hint: "run the command by hand; it must print the token and nothing else"}
	}
	token := trimKey(out.String())
	if token == "" || strings.ContainsAny(token, "\r\n") {
		return "", &Error{Class: ClassConfig, Err: fmt.Errorf("the token command %s printed no single token", command[0]), Hint: "it must print the token and nothing else"}
	}
	return Secret(token), nil
}

// withoutPath drops the name that is said already.
func withoutPath(err error) error {
	var missing *exec.Error
	if errors.As(err, &missing) {
		return missing.Err
	}
	return err
}

// splitCommand splits as shells do it: at space, but not inside quotes, which go away. Nothing is expanded.
func splitCommand(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
