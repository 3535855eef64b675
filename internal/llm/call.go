package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/wikiwright/wikiwright/internal/llm/wire"
)

// transportMode remembers, for all requests to a model, whether replies are streamed.
type transportMode struct {
	mu     sync.Mutex
	stream bool
	fixed  bool // configured
}

func newTransportMode(mode StreamMode, usual bool) *transportMode {
	switch mode {
	case StreamOn:
		return &transportMode{stream: true, fixed: true}
	case StreamOff:
		return &transportMode{fixed: true}
	}
	return &transportMode{stream: usual}
}

// streamed returns the way that works as far as is known, and whether the other may be tried.
func (t *transportMode) streamed() (stream, fixed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stream, t.fixed
}

// worked remembers the way in which a reply has come.
func (t *transportMode) worked(stream bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stream = stream
}

// reply is one whole answer of the model, whichever way it came.
type reply struct {
	parts  []wire.Part // as they go back into the history
	text   string
	calls  []wire.Part
	finish wire.Finish
	usage  Usage
}

// question is what is asked for with one reply, and what goes with it.
type question struct {
	system   string
	messages []wire.Message
	tools    []wire.Tool
	mustCall bool
	budget   *Budget
	spend    func(Usage) // told of every request, also of those that failed
	tell     func(Event)
}

// asking is the state of one question: how often, and how, it was asked.
type asking struct {
	model    *Model
	attempt  int
	waited   time.Duration
	stream   bool
	switched bool // to the other way
	renewed  bool // the credential
	adapted  bool // the treatment of reasoning
}

// ask sends one request until it has a reply, repeating it within the limits of the Config.
func (m *Model) ask(ctx context.Context, q question) (*reply, error) {
	a := &asking{model: m}
	a.stream, a.switched = m.mode.streamed() // where the way is fixed, the switch is used up
	for a.attempt = 1; ; a.attempt++ {
		if err := q.budget.begin(); err != nil {
			return nil, err
		}
		r := m.request(q, a.stream)
		x, err := m.exchange(ctx, r, q.tell)
		if err == nil {
			var reply *reply
			if reply, err = m.read(x.answer); err == nil {
				q.spend(reply.usage)
				m.mode.worked(a.stream)
				return reply, nil
			}
		}
		q.spend(m.usageOf(x.answer.Usage)) // what a broken answer has reported is paid for, too
		err = m.classify(ctx, err, x)
		var e *Error
		if !errors.As(err, &e) {
			return nil, err
		}
		e.Attempt, e.Attempts = a.attempt, m.config.Attempts
		delay, again := a.next(e, x, r)
		if !again {
			return nil, err
		}
		if delay == 0 {
			continue
		}
		q.tell(Event{Kind: EventRetry, Attempt: a.attempt, Delay: delay, Err: err})
		if m.sleep(ctx, delay) != nil {
			return nil, context.Cause(ctx)
		}
	}
}

// next decides whether the question is asked again, and how long to wait before that. Asking in another way at once is not a repetition.
func (a *asking) next(e *Error, x *exchange, r wire.Request) (delay time.Duration, again bool) {
	m := a.model
	switch {
	case !a.switched && wantsOtherWay(e):
		a.switched, a.stream = true, !a.stream
		a.attempt--
		return 0, true
	case e.Status == http.StatusUnauthorized && !a.renewed && m.sender.auth.refused(x.used):
		a.renewed = true
		a.attempt--
		return 0, true
	case e.Class == ClassInvalidRequest && !a.adapted && m.reasoning.adapt(e, m.sender.endpoint.format, r.Messages):
		a.adapted = true
		a.attempt--
		return 0, true
	}
	limit := m.config.Attempts
	if e.Class == ClassEmpty || x.begun() {
		limit = min(limit, maxBroken) // each of them is paid for
	}
	if e.Class == ClassEmpty { // the other way was no better
		stream, fixed := m.mode.streamed()
		a.stream, a.switched = stream, a.switched || fixed
	}
	delay = m.backoff(a.attempt, e.RetryAfter)
	if !e.Class.retryable() || a.attempt >= limit || a.waited+delay > m.config.RetryBudget {
		return 0, false
	}
	a.waited += delay
	return delay, true
}

// maxBroken is how often a question is asked whose answers break off or have no content.
const maxBroken = 3

// wantsOtherWay recognises endpoints that can only stream, or cannot: they answer without content, or say so.
func wantsOtherWay(e *Error) bool {
	return e.Class == ClassEmpty || e.Class == ClassInvalidRequest && strings.Contains(strings.ToLower(fmt.Sprint(e.Err)), "stream")
}

// backoff is what the provider asked for, or 1 s, 2 s, 4 s up to 60 s, and up to a quarter more, so that workers do not come back together.
func (m *Model) backoff(attempt int, asked time.Duration) time.Duration {
	delay := min(time.Second<<min(attempt-1, 6), time.Minute)
	if asked > 0 {
		delay = asked
	}
	return delay + time.Duration(m.random()*float64(delay)/4)
}

// maxUnstreamed bounds a reply of Anthropic's that is not streamed: more may take longer than connections live.
const maxUnstreamed = 21_000

// request returns what is sent for a question.
func (m *Model) request(q question, stream bool) wire.Request {
	format, most := m.sender.endpoint.format, m.config.MaxOutputTokens
	if format == wire.Messages && !stream {
		most = min(most, maxUnstreamed)
	}
	return wire.Request{
		Model: m.config.Model, System: q.system, Messages: q.messages, Tools: q.tools, MaxTokens: most, Effort: m.config.ReasoningEffort,
		Temperature: m.config.Temperature, Stream: stream, History: m.reasoning.current(), Upstreams: m.config.Upstreams,
		// Compatible endpoints differ in whether a call can be demanded, Anthropic refuses it of a model that thinks, and OpenRouter has both
		// behind it.
		MustCall: q.mustCall && (format == wire.Responses || format == wire.Gemini),
	}
}

// exchange sends the request once.
func (m *Model) exchange(ctx context.Context, r wire.Request, tell func(Event)) (*exchange, error) {
	defer m.heartbeat(tell)()
	return m.sender.send(ctx, r)
}

// heartbeat tells once a minute that a reply is still awaited.
func (m *Model) heartbeat(tell func(Event)) (stop func()) {
	done := make(chan struct{})
	ticker := time.NewTicker(time.Minute)
	var ended sync.WaitGroup
	ended.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				tell(Event{Kind: EventWaiting})
			}
		}
	})
	return func() { ticker.Stop(); close(done); ended.Wait() }
}

// read turns an answer into what the loop works with, or says why there is nothing to work with.
func (m *Model) read(a *wire.Answer) (*reply, error) {
	usage := a.Usage
	if usage == nil {
		usage = &wire.Usage{}
	}
	r := &reply{parts: a.Parts, finish: a.Finish, usage: m.usageOf(usage)}
	for _, part := range a.Parts {
		switch part.Kind {
		case wire.Text:
			r.text += part.Text
		case wire.Call:
			r.calls = append(r.calls, part)
		}
	}
	switch {
	case a.Finish == wire.Failed:
		return nil, m.error(ClassOverloaded, errors.New("the provider ended the reply with an error"))
	case a.Finish == wire.Filtered:
		return nil, m.error(ClassContentFilter, errors.New("the provider stopped the reply"))
	case a.Finish == wire.Length, a.Finish == wire.Malformed:
	case strings.TrimSpace(r.text) == "" && len(r.calls) == 0:
		return nil, wire.ErrEmpty
	}
	return r, nil
}

// error is a fault that the answer itself shows.
func (m *Model) error(class Class, err error) *Error {
	return &Error{Class: class, Provider: m.config.Provider, Model: m.config.Model, Err: err, Hint: m.config.hint(class, 0)}
}
