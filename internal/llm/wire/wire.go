// Package wire speaks the formats of model providers: OpenAI chat completions, with OpenRouter's additions, OpenAI Responses, Anthropic
// Messages and Gemini.
//
// [Format.Encode] turns a [Request] into the body of an HTTP request, [Format.Read] the body of an answer into an [Answer], in whatever form
// it comes: whole, as server-sent events, or in the frames of Amazon's event stream. What a provider wants sent back with the conversation,
// such as the signature of a thought, is kept in [Part.Opaque].
//
// It does not send anything, repeat anything, or know keys: that is for package llm.
package wire

import (
	"encoding/json"
	"errors"
)

// A Format is a wire format.
type Format int

// The formats.
const (
	Chat       Format = iota // OpenAI chat completions, and what is compatible
	OpenRouter               // chat completions with OpenRouter's routing, reasoning and costs
	Responses                // OpenAI Responses
	Messages                 // Anthropic Messages
	Gemini                   // Google generateContent
)

// A Request is what a model is asked, in the terms of no provider.
type Request struct {
	Model    string
	System   string
	Messages []Message
	Tools    []Tool
	// MaxTokens bounds the reply.
	MaxTokens int64
	// Effort is the level of reasoning in lower case, "" for the model's own.
	Effort string
	// Temperature is sent only when set.
	Temperature *float64
	// MustCall demands a tool call.
	MustCall bool
	Stream   bool
	// History is what becomes of the reasoning of former replies, in the formats of OpenAI.
	History History
	// Upstreams are the only providers OpenRouter may route to.
	Upstreams []string
	// Cloud is the version of Anthropic's API at a cloud that serves its models. The model is then in the path.
	Cloud string
}

// History says how the reasoning of former replies goes back.
type History int

// The ways.
const (
	AsGiven History = iota
	Never
	Always // with every tool call, empty where there was none
)

// A Role says whose a message is.
type Role int

// The roles.
const (
	User Role = iota
	Assistant
	Results // of tool calls
)

// A Message is one turn of a conversation.
type Message struct {
	Role  Role
	Parts []Part
}

// A Kind is a kind of part.
type Kind int

// The kinds.
const (
	Text Kind = iota
	Reasoning
	Call
	Result
)

// A Part is a piece of a message.
type Part struct {
	Kind Kind
	// Text is that of everything but calls.
	Text string
	// ID and Name are of calls and results. Invented says that the provider gave no id: where ids are optional, this one is not sent.
	ID, Name string
	Invented bool
	// Args are the arguments of a call: a JSON object in what is sent, anything in what a model has written.
	Args string
	// IsError marks a result.
	IsError bool
	// Opaque is what the provider wants back with this part, in its own form.
	Opaque json.RawMessage
}

// A Tool is declared to the model; Schema is the JSON Schema of its arguments.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage
}

// A Finish says why a reply ended.
type Finish int

// The reasons.
const (
	Unknown   Finish = iota // it was not said
	Stop                    // the model had finished, or calls tools
	Length                  // cut at the output limit
	Filtered                // stopped for what it says
	Malformed               // there was a tool call that nobody could read
	Failed                  // the provider failed
)

// An Answer is what a model replied.
type Answer struct {
	Parts  []Part
	Finish Finish
	// Usage is nil when nothing was reported.
	Usage *Usage
}

// Usage is what a request used, in tokens. Input counts all input, also what was read from the cache or written to it.
type Usage struct {
	Input, Cached, Written, Output, Reasoning int64
	// CostUSD is the provider's own figure, 0 when it gives none.
	CostUSD float64
}

// Faults of answers.
var (
	ErrEmpty = errors.New("the reply is empty")
	ErrCut   = errors.New("unexpected end of the answer")
)

// A Refusal is an error that a provider gives in an ordinary answer, or in the middle of one.
type Refusal struct {
	// Body is as providers answer with an error status: usually JSON with the key "error".
	Body []byte
}

// Error does not repeat the body, which may hold anything.
func (*Refusal) Error() string { return "the provider answers with an error" }

// Encode returns the body of the request.
func (f Format) Encode(r Request) ([]byte, error) {
	var body object
	switch f {
	case Responses:
		body = responsesBody(r)
	case Messages:
		body = messagesBody(r)
	case Gemini:
		body = geminiBody(r)
	default:
		body = chatBody(r, f == OpenRouter)
	}
	return encode(body)
}

// decoder puts an answer together.
type decoder interface {
	// add takes an event, or an answer that is whole.
	add(data []byte) error
	// answer returns what has come, and whether the end of the reply was among it.
	answer() (a *Answer, ended bool)
}

func (f Format) decoder() decoder {
	switch f {
	case Responses:
		return &responsesDecoder{}
	case Messages:
		return &messagesDecoder{}
	case Gemini:
		return &geminiDecoder{}
	}
	return &chatDecoder{}
}
