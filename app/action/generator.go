package action

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/wikiwright/wikiwright/app"
)

// A generator runs the generation in a process of its own, which sees no token of GitHub and can do nothing but read the checkout and write
// the wiki.
type generator struct {
	program string
	args    []string
	environ []string
	dir     string
	onEvent func(app.StreamEvent)
	onPage  func(app.PageResult) // a page is durable
	onLine  func(string)         // what the process says to people
}

// stopPatience is how long a stopped generation may take to put the page in work back.
const stopPatience = 2 * time.Second

// run returns the result of the generation. When ctx ends, the process is asked to stop and, if it does not, killed.
func (g *generator) run(ctx context.Context) (*app.Result, error) {
	cmd := exec.Command(g.program, g.args...) //nolint:noctx // stopped in order, see below
	cmd.Env, cmd.Dir = g.environ, g.dir
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the generation: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the generation: %w", err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, fmt.Errorf("start the generation: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the generation: %w", err)
	}
	ended := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		stopInOrder(ctx, cmd, stdin, ended)
	}()
	said := make(chan struct{})
	go func() {
		defer close(said)
		forward(stderr, g.onLine)
	}()
	result, readErr := app.ReadStream(stdout, g.onEvent, g.onPage)
	if readErr != nil && !errors.Is(readErr, app.ErrNoResult) {
		_ = cmd.Process.Kill() // it does not speak as agreed
		_, _ = io.Copy(io.Discard, stdout)
	}
	<-said
	waitErr := cmd.Wait()
	close(ended)
	<-watched
	if readErr != nil {
		return nil, errors.Join(readErr, waitErr)
	}
	return result, nil // a status other than 0 is told by the result
}

// stopInOrder closes the input of the process when ctx ends, which asks it to stop, and kills it if that does not help.
func stopInOrder(ctx context.Context, cmd *exec.Cmd, stdin io.Closer, ended <-chan struct{}) {
	select {
	case <-ended:
		return
	case <-ctx.Done():
	}
	_ = stdin.Close()
	timer := time.NewTimer(stopPatience)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
		_ = cmd.Process.Kill()
	}
}

// forward passes a text on line by line, long lines cut.
func forward(r io.Reader, to func(string)) {
	const most = 4000
	reader := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := reader.ReadString('\n')
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			to(line[:min(len(line), most)])
		}
		if err != nil {
			return
		}
	}
}

// childVariables are what the generation may see of the environment besides the settings of its model: what programs need to run.
func childVariables() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "XDG_CONFIG_HOME", "TMPDIR", "TEMP", "TMP", "LANG", "LC_ALL", "TZ",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
		"http_proxy", "https_proxy", "no_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY",
		"SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES",
	}
}

// modelVariables are the settings of model providers, by the names OpenWiki gives them: prefixes.
func modelVariables() []string {
	return []string{
		"OPENWIKI_", "OPENAI_", "ANTHROPIC_", "COPILOT_API_KEY", "COPILOT_BASE_URL", "GEMINI_API_KEY", "GOOGLE_CLOUD_", "GOOGLE_APPLICATION_CREDENTIALS",
		"OPENROUTER_", "BEDROCK_AWS_", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
		"AWS_BEARER_TOKEN_BEDROCK", "AWS_PROFILE", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_ROLE_", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_",
		"FIREWORKS_", "BASETEN_", "NEBIUS_", "NVIDIA_", "BOB_API_KEY", "BOB_BASE_URL",
		"AZURE_OPENAI_", "OLLAMA_BASE_URL", "GITHUB_MODELS_TOKEN",
	}
}

// childEnviron returns the environment of the generation. A variable that holds a token of GitHub stays out whatever its name.
func childEnviron(environ, tokens []string) []string {
	var kept []string
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		if !ok || holdsToken(value, tokens) {
			continue
		}
		model := slices.ContainsFunc(modelVariables(), func(prefix string) bool { return strings.HasPrefix(name, prefix) })
		if model || slices.Contains(childVariables(), name) {
			kept = append(kept, entry)
		}
	}
	return kept
}

func holdsToken(value string, tokens []string) bool {
	return slices.ContainsFunc(tokens, func(token string) bool { return token != "" && strings.Contains(value, token) })
}
