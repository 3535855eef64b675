package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wikiwright/wikiwright/internal/llm/wire"
)

// Overrides are settings that win over the environment; zero values do not.
type Overrides struct {
	Provider string
	Model    string
	BaseURL  string
	// Key is for the provider that is chosen.
	Key Secret
	// KeyName says where Key comes from, for messages.
	KeyName string
	// Concurrency is how many pages are written at once; more of them are given more attempts.
	Concurrency int
}

// Configured reports whether a model is configured: a provider is named, or the key of one is present. It says which and by what.
func Configured(getenv func(string) string, o Overrides) (provider, by string, ok bool) {
	if o.Provider != "" {
		return normalID(o.Provider), "asked for", true
	}
	if id := normalID(getenv("OPENWIKI_PROVIDER")); id != "" {
		if _, known := providerByID(id); known {
			return id, "OPENWIKI_PROVIDER", true
		}
	}
	for _, p := range providers() {
		if !p.inferred {
			continue
		}
		for _, name := range append(slices.Clone(p.keys), bedrockKeys(p)...) {
			if trimKey(getenv(name)) != "" {
				return p.id, name, true
			}
		}
	}
	if o.Key != "" {
		return "openai", "the key that was given", true
	}
	return "", "", false
}

func bedrockKeys(p provider) []string {
	if p.id != "bedrock" {
		return nil
	}
	return []string{"AWS_BEARER_TOKEN_BEDROCK", "BEDROCK_AWS_ACCESS_KEY_ID", "BEDROCK_AWS_SECRET_ACCESS_KEY"}
}

func normalID(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// Resolve reads the choice of provider and model from OpenWiki's names in the environment and from what was asked for. It makes no request.
// The error joins everything that is missing or wrong, each an *Error of ClassConfig with a hint.
func Resolve(getenv func(string) string, o Overrides) (Config, error) {
	r := &resolver{getenv: getenv}
	id, _, ok := Configured(getenv, o)
	if !ok {
		r.problem("no model is configured", "set OPENWIKI_PROVIDER and the key of the provider, for example ANTHROPIC_API_KEY; or use --author extractive, which needs none")
		return Config{}, errors.Join(r.problems...)
	}
	known, ok := providerByID(id)
	if !ok {
		r.problem(fmt.Sprintf("unknown provider %q", id), "use one of "+strings.Join(Providers(), ", "))
		return Config{}, errors.Join(r.problems...)
	}
	c := Config{Provider: id}
	r.endpoint(&c, known, o)
	r.credential(&c, known, o)
	r.model(&c, known, o)
	r.tuning(&c, known, o)
	if len(r.problems) > 0 {
		return Config{}, errors.Join(r.problems...)
	}
	return c, nil
}

// resolver collects the problems of one resolution.
type resolver struct {
	getenv   func(string) string
	problems []error
}

func (r *resolver) problem(text, hint string) {
	r.problems = append(r.problems, &Error{Class: ClassConfig, Err: errors.New(text), Hint: hint})
}

func (r *resolver) get(name string) string { return strings.TrimSpace(r.getenv(name)) }

func (r *resolver) first(names ...string) (value, name string) {
	for _, name := range names {
		if value := r.get(name); value != "" {
			return value, name
		}
	}
	return "", ""
}

func (r *resolver) endpoint(c *Config, known provider, o Overrides) {
	name := "the base URL"
	c.BaseURL = strings.TrimSpace(o.BaseURL)
	if c.BaseURL == "" {
		c.BaseURL, name = r.first(known.urls...)
	}
	switch {
	case c.BaseURL == "" && known.needsURL:
		r.problem(fmt.Sprintf("%s needs its address", known.name), "set "+known.urls[0]+" to the base URL, such as https://host/v1")
	case c.BaseURL == "":
	case strings.HasSuffix(strings.TrimRight(c.BaseURL, "/"), "/chat/completions"):
		r.problem(name+" names the whole request", "leave /chat/completions off")
	default:
		u, err := url.Parse(c.BaseURL)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			r.problem(name+" is not an http or https address", "set it to the base URL, such as https://host/v1")
		} else if u.User != nil {
			r.problem(name+" holds a user or password", "give credentials in the key or in OPENWIKI_HEADERS")
		}
	}
	r.headers(c)
	if known.id == "openai" {
		r.account(c)
	}
}

// account names the organization and the project at OpenAI that a request is counted for, where variables of OpenAI's own name them.
func (r *resolver) account(c *Config) {
	for header, name := range map[string]string{"OpenAI-Organization": "OPENAI_ORG_ID", "OpenAI-Project": "OPENAI_PROJECT_ID"} {
		value := r.get(name)
		for given := range c.Headers {
			if strings.EqualFold(given, header) {
				value = "" // what is said here wins
			}
		}
		if value == "" {
			continue
		}
		if c.Headers == nil {
			c.Headers = map[string]string{}
		}
		c.Headers[header] = value
	}
}

// headers reads OPENWIKI_HEADERS: a JSON object, or one "Name: value" a line.
func (r *resolver) headers(c *Config) {
	text := r.get("OPENWIKI_HEADERS")
	if text == "" {
		return
	}
	c.Headers = map[string]string{}
	if strings.HasPrefix(text, "{") {
		if err := json.Unmarshal([]byte(text), &c.Headers); err != nil {
			r.problem("OPENWIKI_HEADERS is not a JSON object of strings", `write {"Name": "value"}, or one "Name: value" a line`)
		}
		return
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || strings.ContainsAny(strings.TrimSpace(name), " \t") || strings.TrimSpace(name) == "" {
			r.problem("OPENWIKI_HEADERS has a line that is no header", `write {"Name": "value"}, or one "Name: value" a line`)
			return
		}
		c.Headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
}

func (r *resolver) credential(c *Config, known provider, o Overrides) {
	c.AuthHeader = r.get("OPENWIKI_AUTH_HEADER")
	switch known.id {
	case "bedrock":
		r.bedrock(c)
	case "gemini-enterprise":
		r.vertex(c)
	}
	if command := r.get("OPENWIKI_TOKEN_COMMAND"); command != "" {
		words, err := splitCommand(command)
		if err != nil || len(words) == 0 {
			r.problem("OPENWIKI_TOKEN_COMMAND is not a command", "write the program and its arguments; quotes keep words together")
		}
		c.TokenCommand = words
		return
	}
	if key := trimKey(o.Key.Value()); key != "" {
		c.Key, c.KeyName = Secret(key), o.KeyName
		return
	}
	if len(known.keys) == 0 {
		return
	}
	name := known.keys[0]
	key := trimKey(r.getenv(name))
	switch {
	case key != "":
		c.Key, c.KeyName = Secret(key), name
	case r.getenv(name) == "" && known.id == "openai-compatible" && len(c.Headers) > 0: // the credential is in a header
	case r.getenv(name) != "":
		r.problem(name+" is empty: it holds only space or quotes", "check the name of the secret that it is set from; an unknown secret is an empty text")
	default:
		r.problem(name+" is not set", "set it to a key of "+known.name+", or set OPENWIKI_PROVIDER to another provider")
	}
}

func (r *resolver) bedrock(c *Config) {
	c.Region, _ = r.first("BEDROCK_AWS_REGION", "AWS_REGION", "AWS_DEFAULT_REGION")
	if c.Region == "" {
		r.problem("Bedrock needs a region", "set BEDROCK_AWS_REGION or AWS_REGION")
	}
	if token := trimKey(r.getenv("AWS_BEARER_TOKEN_BEDROCK")); token != "" {
		c.Key, c.KeyName = Secret(token), "AWS_BEARER_TOKEN_BEDROCK"
		return
	}
	id, secret := trimKey(r.getenv("BEDROCK_AWS_ACCESS_KEY_ID")), trimKey(r.getenv("BEDROCK_AWS_SECRET_ACCESS_KEY"))
	if (id == "") != (secret == "") {
		r.problem("only one half of the pair BEDROCK_AWS_ACCESS_KEY_ID and BEDROCK_AWS_SECRET_ACCESS_KEY is set", "set both, or neither to use the standard AWS chain")
	}
	c.AWS = AWSKeys{AccessKeyID: id, SecretAccessKey: Secret(secret), SessionToken: Secret(trimKey(r.getenv("BEDROCK_AWS_SESSION_TOKEN")))}
}

func (r *resolver) vertex(c *Config) {
	c.Project, c.Location = r.get("GOOGLE_CLOUD_PROJECT"), r.get("GOOGLE_CLOUD_LOCATION")
	if c.Location == "" {
		c.Location = "global"
	}
	if c.Project == "" {
		r.problem("Vertex AI needs a project", "set GOOGLE_CLOUD_PROJECT; credentials are Google's application default ones")
	}
}

func (r *resolver) model(c *Config, known provider, o Overrides) {
	switch {
	case known.fixed:
		c.Model = known.model
	case strings.TrimSpace(o.Model) != "":
		c.Model = strings.TrimSpace(o.Model)
	case r.get("OPENWIKI_MODEL_ID") != "":
		c.Model = r.get("OPENWIKI_MODEL_ID")
	default:
		c.Model = known.model
	}
	switch {
	case c.Model == "":
		r.problem("no model is named", "set OPENWIKI_MODEL_ID or --model: "+known.name+" has no default one")
	case len(c.Model) > 200 || strings.ContainsFunc(c.Model, func(r rune) bool { return r <= ' ' || r == 0x7f }) || strings.Contains(c.Model, "://"):
		r.problem("the model id is not one word", "set OPENWIKI_MODEL_ID or --model to the id as the provider writes it")
	}
}

func (r *resolver) tuning(c *Config, known provider, o Overrides) {
	c.Attempts = DefaultAttempts
	if r.get("OPENWIKI_PROVIDER_RETRY_ATTEMPTS") == "0" {
		c.Attempts = 1
	} else if n := r.positive("OPENWIKI_PROVIDER_RETRY_ATTEMPTS"); n > 0 {
		c.Attempts = int(min(n, 100)) + 1
	}
	c.MaxOutputTokens = r.positive("OPENWIKI_MAX_OUTPUT_TOKENS")
	switch own := map[string]string{"openrouter": "OPENWIKI_OPENROUTER_MAX_TOKENS", "bedrock": "OPENWIKI_BEDROCK_MAX_TOKENS"}[known.id]; {
	case known.id == "openrouter" && r.positive(own) > 0:
		c.MaxOutputTokens = r.positive(own)
	case known.id == "bedrock" && c.MaxOutputTokens == 0:
		c.MaxOutputTokens = r.positive(own)
	}
	if ms := r.get("OPENWIKI_STREAM_IDLE_TIMEOUT"); ms != "" {
		n, err := strconv.Atoi(ms)
		if err != nil || n < 0 {
			r.problem("OPENWIKI_STREAM_IDLE_TIMEOUT is not a number of milliseconds", "set it to a number, or leave it out")
		} else if n > 0 {
			c.IdleTimeout = time.Duration(n) * time.Millisecond
		}
	}
	if only := r.get("OPENWIKI_OPENROUTER_PROVIDER_ONLY"); only != "" && known.id == "openrouter" {
		for name := range strings.SplitSeq(only, ",") {
			if name = strings.TrimSpace(name); name != "" {
				c.Upstreams = append(c.Upstreams, name)
			}
		}
	}
	r.effort(c, known)
	if known.format == wire.Chat {
		c.Responses = r.truth("OPENWIKI_OPENAI_COMPATIBLE_USE_RESPONSES_API")
		c.Stream = StreamAuto
		if r.truth("OPENWIKI_OPENAI_COMPATIBLE_STREAMING") {
			c.Stream = StreamOn
		}
	}
}

func (r *resolver) truth(name string) bool { return strings.EqualFold(r.get(name), "true") }

func (r *resolver) positive(name string) int64 {
	text := r.get(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		r.problem(fmt.Sprintf("%s is %q, not a positive whole number", name, text), "set it to one, or leave it out")
		return 0
	}
	return n
}

// effort checks the level against the provider and, where it is in the catalogue, the model: a combination that is refused must not be found
// out by the first request.
func (r *resolver) effort(c *Config, known provider) {
	effort := strings.ToLower(r.get("OPENWIKI_REASONING_EFFORT"))
	if effort == "" {
		return
	}
	const name = "OPENWIKI_REASONING_EFFORT"
	levels := effortsOf(*c, known)
	found, inCatalogue := inCatalogue(catalogueOf(*c, known), c.Model)
	switch {
	case known.id == "openai-compatible" && !r.truth("OPENWIKI_OPENAI_COMPATIBLE_REASONING_EFFORT_SUPPORTED"):
		r.problem(name+" is set, but not every compatible endpoint accepts it", "set OPENWIKI_OPENAI_COMPATIBLE_REASONING_EFFORT_SUPPORTED=true when yours does")
		return
	case inCatalogue && !found.CanReason && effort != "none":
		r.problem(fmt.Sprintf("%s is set, but %s does not reason", name, c.Model), "leave it out, or use another model")
		return
	case inCatalogue && len(found.ReasoningLevels) > 0:
		levels = slices.DeleteFunc(levels, func(level string) bool { return level != "none" && !slices.Contains(found.ReasoningLevels, level) })
	}
	if !slices.Contains(levels, effort) {
		r.problem(fmt.Sprintf("%s is %q, which %s of %s does not have", name, effort, c.Model, known.name), "use one of "+strings.Join(levels, ", "))
		return
	}
	c.ReasoningEffort = effort
}

// effortsOf returns the levels that the format has words for.
func effortsOf(c Config, known provider) []string {
	switch formatOf(c, known) {
	case wire.Messages:
		return []string{"none", "low", "medium", "high", "xhigh", "max"}
	case wire.Gemini:
		return []string{"minimal", "low", "medium", "high"}
	case wire.OpenRouter:
		return []string{"none", "minimal", "low", "medium", "high", "xhigh"}
	}
	if known.id == "nvidia" {
		return []string{"none", "low", "high"}
	}
	return []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}
}
