package gitrepo

import (
	"context"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

// A redirect would take the credential along.
func TestRemote_redirect(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, twoFiles)
	var asked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer other.Close()
	s := serve(t, source.Bare(), token)
	s.answer(func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, other.URL+r.URL.RequestURI(), http.StatusMovedPermanently)
		return true
	})
	for name, work := range map[string]*gittest.Repo{"full": source.Clone(), "shallow": source.ShallowClone(1)} {
		r := open(t, work.Dir)
		if _, err := r.LsRemote(t.Context(), s.remote(), "refs/heads/main"); !errors.Is(err, ErrRemoteMoved) {
			t.Errorf("%s: list: %v", name, err)
		}
		commit := commitOf(t, r, source.Head(), "m", Edit{Path: "x", Data: []byte("x")})
		err := r.Push(t.Context(), s.remote(), commit, "b", "")
		var rejected *RejectedError
		if !errors.As(err, &rejected) || rejected.Kind != RejectedMoved {
			t.Errorf("%s: push: %v", name, err)
		}
	}
	if asked.Load() > 0 {
		t.Errorf("the other host was asked %d times", asked.Load())
	}
}

// Reads are tried again for those who say how to wait.
func TestRemote_pause(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, twoFiles)
	s := serve(t, source.Bare(), token)
	var failures atomic.Int32
	s.answer(func(w http.ResponseWriter, _ *http.Request) bool {
		if failures.Add(-1) < 0 {
			return false
		}
		w.WriteHeader(http.StatusBadGateway)
		return true
	})
	r := open(t, source.Dir)
	for _, test := range []struct {
		failures int32
		pause    bool
		waits    []time.Duration
		ok       bool
	}{
		{1, false, nil, false},
		{2, true, []time.Duration{time.Second, 4 * time.Second}, true},
		{3, true, []time.Duration{time.Second, 4 * time.Second}, false},
	} {
		failures.Store(test.failures)
		var waits []time.Duration
		remote := s.remote()
		if test.pause {
			remote.Pause = func(_ context.Context, d time.Duration) error {
				waits = append(waits, d)
				return nil
			}
		}
		_, err := r.LsRemote(t.Context(), remote, "refs/heads/main")
		if test.ok != (err == nil) || err != nil && !errors.Is(err, ErrRemoteUnreachable) {
			t.Errorf("%d failures: %v", test.failures, err)
		}
		if diff := cmp.Diff(test.waits, waits); diff != "" {
			t.Errorf("%d failures (-want +got):\n%s", test.failures, diff)
		}
	}
	remote := s.remote()
	failures.Store(1)
	remote.Pause = func(context.Context, time.Duration) error { return context.Canceled }
	if _, err := r.LsRemote(t.Context(), remote, "refs/heads/main"); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled while waiting: %v", err)
	}
}

// SSL_CERT_FILE is enough for git, too.
func TestRemote_certificate(t *testing.T) {
	source := gittest.FromTxtar(t, twoFiles)
	s := newServer(t, source.Bare(), token)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	r := open(t, source.Dir)
	t.Setenv("SSL_CERT_FILE", "")
	if _, err := r.LsRemote(t.Context(), s.remote(), "refs/heads/main"); !errors.Is(err, ErrRemoteUnreachable) {
		t.Errorf("without the certificate: %v", err)
	}
	t.Setenv("SSL_CERT_FILE", file)
	if refs, err := r.LsRemote(t.Context(), s.remote(), "refs/heads/main"); err != nil || len(refs) != 1 {
		t.Errorf("with the certificate: %v, %v", refs, err)
	}
}

// A server that repeats what it was sent, as some proxies do.
func TestRemote_echo(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, twoFiles)
	s := serve(t, source.Bare(), token)
	s.answer(func(w http.ResponseWriter, r *http.Request) bool {
		_, password, _ := r.BasicAuth()
		http.Error(w, "you sent "+r.Header.Get("Authorization")+" which is "+password, http.StatusForbidden)
		return true
	})
	for name, work := range map[string]*gittest.Repo{"full": source.Clone(), "shallow": source.ShallowClone(1)} {
		r := open(t, work.Dir)
		commit := commitOf(t, r, source.Head(), "m", Edit{Path: "x", Data: []byte("x")})
		_, listErr := r.LsRemote(t.Context(), s.remote(), "refs/heads/main")
		for what, err := range map[string]error{"list": listErr, "push": r.Push(t.Context(), s.remote(), commit, "b", "")} {
			if err == nil || !strings.Contains(err.Error(), "you sent Basic *** which is ***") {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
}
