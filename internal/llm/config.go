package llm

import (
	"log/slog"
	"time"
)

// A Secret is a credential. It prints as "[secret]" wherever it is printed.
type Secret string

// String hides the value.
func (Secret) String() string { return "[secret]" }

// GoString hides the value.
func (Secret) GoString() string { return "[secret]" }

// MarshalText hides the value.
func (Secret) MarshalText() ([]byte, error) { return []byte("[secret]"), nil }

// LogValue hides the value.
func (Secret) LogValue() slog.Value { return slog.StringValue("[secret]") }

// Value returns the credential itself.
func (s Secret) Value() string { return string(s) }

// StreamMode says how replies are asked for.
type StreamMode string

// The stream modes.
const (
	StreamAuto StreamMode = "auto" // streamed, and whole when the endpoint can not stream, or the other way round where that is its habit
	StreamOn   StreamMode = "on"
	StreamOff  StreamMode = "off"
)

// A Config is a resolved choice of provider and model. [Resolve] makes it.
type Config struct {
	// Provider is one of Providers.
	Provider string
	// Model is any id the provider knows.
	Model string
	// BaseURL is the endpoint; "" is the provider's own.
	BaseURL string
	// Key is the credential, KeyName the variable it came from. Key is empty for cloud identities and local servers.
	Key     Secret
	KeyName string
	// AuthHeader names the header that carries the key where it is not the provider's usual one, as in "api-key".
	AuthHeader string
	// Headers are sent with every request; their values count as secrets.
	Headers map[string]string
	// TokenCommand prints a bearer token. It is run when there is no key, and again when a token is refused.
	TokenCommand []string
	// AWS are static keys for Bedrock, which win over those of the environment.
	AWS AWSKeys
	// Region, Project and Location are those of the cloud providers.
	Region, Project, Location string
	// Upstreams are the only providers OpenRouter may route to.
	Upstreams []string
	// MaxOutputTokens bounds one reply; 0 is the provider's or the catalogue's.
	MaxOutputTokens int64
	// ReasoningEffort is none, minimal, low, medium, high, xhigh, max, or "" for the model's own.
	ReasoningEffort string
	// Responses asks an OpenAI-compatible endpoint through its Responses API.
	Responses bool
	Stream    StreamMode
	// Attempts is how often one request is sent at most; RetryBudget is how long all waits of one request may be together.
	Attempts    int
	RetryBudget time.Duration
	// ConnectTimeout is for the connection, FirstByteTimeout for the first byte of a reply, IdleTimeout between two of a stream.
	ConnectTimeout, FirstByteTimeout, IdleTimeout time.Duration
	// Temperature is sent only when set.
	Temperature *float64
}

// String names the provider and the model only: headers and the token command may hold secrets.
func (c Config) String() string { return c.Model + " of " + c.Provider }

// GoString is String.
func (c Config) GoString() string { return c.String() }

// LogValue is String.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Values of a Config that sets none.
const (
	DefaultAttempts         = 6
	DefaultRetryBudget      = 5 * time.Minute
	DefaultConnectTimeout   = 30 * time.Second
	DefaultFirstByteTimeout = 10 * time.Minute
	DefaultIdleTimeout      = 3 * time.Minute
	DefaultMaxOutputTokens  = 16_384
)
