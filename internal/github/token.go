package github

import (
	"context"
	"errors"
	"sync"
)

// A TokenSource gives the token that requests are sent with. It is used by several goroutines.
type TokenSource interface {
	// Token returns a token that is believed to be good. Its error may wrap [ErrTokenExpired].
	Token(ctx context.Context) (string, error)
	// Invalidate says that GitHub refused the token, so that the next one is another if there can be another.
	Invalidate(token string)
}

// ErrTokenExpired is a token that GitHub does not accept any more, and no other is to be had. Tokens of a workflow end with their job,
// tokens of an App after an hour.
var ErrTokenExpired = errors.New("the GitHub token has expired or was revoked")

// Static is the source of one token that cannot be renewed. GitHub sometimes refuses a token that is only seconds old, so the first
// refusal is forgiven; from the second on, Token fails with [ErrTokenExpired].
func Static(token string) TokenSource { return &static{token: token} }

type static struct {
	token string

	mu      sync.Mutex
	refused int
}

func (s *static) Token(context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused > 1 {
		return "", ErrTokenExpired
	}
	return s.token, nil
}

func (s *static) Invalidate(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if token == s.token {
		s.refused++
	}
}
