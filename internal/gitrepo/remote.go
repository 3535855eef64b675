package gitrepo

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"
)

// A Remote is a repository somewhere else, and who we are there.
type Remote struct {
	// URL has the scheme https, http or file and holds no user name and no password. Nothing else of the checkout's configuration decides
	// where requests go.
	URL string
	// Credential returns user name and password for each request; for GitHub the password is a token and the user name x-access-token.
	// Nil means none. After a refusal it is asked again, and the request repeated once if the answer is another.
	Credential func(ctx context.Context) (user, password string, err error)
	// Pause waits before a read that failed on the way is tried again, twice at most. Nil means that reads are tried once.
	Pause func(ctx context.Context, d time.Duration) error
}

// check refuses what git would take for an option or a helper program.
func (r Remote) check() (*url.URL, error) {
	u, err := url.Parse(r.URL)
	if err != nil || u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(r.URL, "\x00\r\n \"\\") {
		return nil, ErrRemoteURL
	}
	switch {
	case (u.Scheme == "https" || u.Scheme == "http") && u.Host != "", u.Scheme == "file" && u.Path != "":
		return u, nil
	}
	return nil, ErrRemoteURL
}

// A login is a credential as it was given for one request.
type login struct{ user, password string }

func (r Remote) login(ctx context.Context) (*login, error) {
	if r.Credential == nil {
		return nil, nil
	}
	user, password, err := r.Credential(ctx)
	if err != nil {
		return nil, fmt.Errorf("get credential: %w", err)
	}
	if user == "" && password == "" {
		return nil, nil
	}
	return &login{user, password}, nil
}

// redact removes the password, plain and as it stands in a header, from text of others.
func (l *login) redact(text string) string {
	if l == nil || l.password == "" {
		return text
	}
	text = strings.ReplaceAll(text, l.basic(), "***")
	return strings.ReplaceAll(text, l.password, "***")
}

func (l *login) basic() string {
	return base64.StdEncoding.EncodeToString([]byte(l.user + ":" + l.password))
}

// settings are the git settings for one request. They reach git in its environment, where only processes of the same user can read them,
// never in its arguments.
func (l *login) settings(remote string) []setting {
	settings := []setting{
		{"credential.helper", ""},       // the credential comes from us: no helper is asked, none learns it
		{"core.askPass", ""},            // nor a program that would ask a person
		{"core.hooksPath", "/dev/null"}, // hooks of the checkout are for its people
		{"push.gpgSign", "false"},
		{"push.recurseSubmodules", "no"},
		{"push.followTags", "false"},
		{"fetch.recurseSubmodules", "no"},
		// The longest match wins, so that no rule of the user leads the URL elsewhere.
		{"url." + remote + ".insteadOf", remote}, {"url." + remote + ".pushInsteadOf", remote},
		{"http.lowSpeedLimit", "1"}, {"http.lowSpeedTime", "120"}, // a server that says nothing for two minutes has gone
		{"protocol.allow", "never"}, {"protocol.https.allow", "always"}, {"protocol.http.allow", "always"}, {"protocol.file.allow", "always"},
	}
	// Go reads these variables, the libraries below git do not: both sides trust the same certificates.
	for _, one := range [...]setting{{"http.sslCAInfo", os.Getenv("SSL_CERT_FILE")}, {"http.sslCAPath", os.Getenv("SSL_CERT_DIR")}} {
		if one.value != "" {
			settings = append(settings, one)
		}
	}
	if l == nil {
		return settings
	}
	// The empty value drops the headers of all earlier sources, such as the one that actions/checkout leaves behind: two Authorization
	// headers are refused by GitHub. Redirects are not followed because git would send the header to where they lead.
	key := "http." + remote + ".extraHeader"
	return append(settings, setting{key, ""}, setting{key, "Authorization: Basic " + l.basic()}, setting{"http.followRedirects", "false"})
}

// remoteRun runs git with a remote. The URL is put in place of the argument [remoteArg].
func (r *Repo) remoteRun(ctx context.Context, remote Remote, args ...string) ([]byte, error) {
	if _, err := remote.check(); err != nil {
		return nil, err
	}
	used, err := remote.login(ctx)
	if err != nil {
		return nil, err
	}
	out, err := r.loginRun(ctx, remote, used, args)
	if !errors.Is(err, ErrAuthentication) || used == nil {
		return out, err
	}
	fresh, freshErr := remote.login(ctx)
	if freshErr != nil || fresh == nil || *fresh == *used {
		return out, err
	}
	return r.loginRun(ctx, remote, fresh, args)
}

// remoteRead is remoteRun for a command that only reads, and that may therefore be tried again.
func (r *Repo) remoteRead(ctx context.Context, remote Remote, args ...string) ([]byte, error) {
	for wait := time.Second; ; wait *= 4 {
		out, err := r.remoteRun(ctx, remote, args...)
		if !errors.Is(err, ErrRemoteUnreachable) || remote.Pause == nil || wait > readPause {
			return out, err
		}
		if pauseErr := remote.Pause(ctx, wait); pauseErr != nil {
			return nil, fmt.Errorf("%w (after %w)", pauseErr, err)
		}
	}
}

// readPause is the longest wait between two reads: one and four seconds, then no more.
const readPause = 4 * time.Second

// remoteArg stands for the URL of the remote.
const remoteArg = "\x00remote"

func (r *Repo) loginRun(ctx context.Context, remote Remote, used *login, args []string) ([]byte, error) {
	all := make([]string, len(args))
	for i, arg := range args {
		if arg == remoteArg {
			arg = remote.URL
		}
		all[i] = arg
	}
	out, err := runWith(ctx, process{git: r.git, dir: r.Root, settings: used.settings(remote.URL)}, all...)
	var failed *Error
	if errors.As(err, &failed) {
		failed.Stderr = used.redact(failed.Stderr)
		err = classifyRemote(failed)
	}
	return []byte(used.redact(string(out))), err
}
