package llm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"charm.land/fantasy"
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
	parts     []fantasy.MessagePart // as they go back into the history
	text      string
	calls     []fantasy.ToolCallPart
	finish    fantasy.FinishReason
	malformed bool // there was a tool call that nobody could read
	usage     Usage
}

// errEmpty is a reply in which the model neither says nor asks for anything.
var errEmpty = errors.New("the reply is empty")

// question is what is asked for with one reply, and what goes with it.
type question struct {
	prompt   fantasy.Prompt
	tools    []fantasy.Tool
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
		x := &exchange{stream: a.stream}
		r, err := m.once(withExchange(ctx, x), q, x)
		if err == nil {
			q.spend(r.usage)
			m.mode.worked(a.stream)
			return r, nil
		}
		q.spend(m.usageOf(x.seen().facts.usage)) // what a broken answer has reported is paid for, too
		err = m.classify(ctx, err, x.seen())
		var e *Error
		if !errors.As(err, &e) {
			return nil, err
		}
		e.Attempt, e.Attempts = a.attempt, m.config.Attempts
		delay, again := a.next(e, x.seen(), q.prompt)
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
func (a *asking) next(e *Error, s seen, prompt fantasy.Prompt) (delay time.Duration, again bool) {
	m := a.model
	switch {
	case !a.switched && wantsOtherWay(e, s):
		a.switched, a.stream = true, !a.stream
		a.attempt--
		return 0, true
	case e.Status == http.StatusUnauthorized && !a.renewed && m.auth.refused(s.used):
		a.renewed = true
		a.attempt--
		return 0, true
	case e.Class == ClassInvalidRequest && !a.adapted && m.reasoning.adapt(e, prompt):
		a.adapted = true
		a.attempt--
		return 0, true
	}
	limit := m.config.Attempts
	if e.Class == ClassEmpty || s.begun() {
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

// wantsOtherWay recognises endpoints that can only stream, or cannot: they answer without content, in the other form, or say so.
func wantsOtherWay(e *Error, s seen) bool {
	if e.Class == ClassEmpty || s.facts.otherWay {
		return true
	}
	return e.Class == ClassInvalidRequest && strings.Contains(strings.ToLower(fmt.Sprint(e.Err)), "stream")
}

// backoff is what the provider asked for, or 1 s, 2 s, 4 s up to 60 s, and up to a quarter more, so that workers do not come back together.
func (m *Model) backoff(attempt int, asked time.Duration) time.Duration {
	delay := min(time.Second<<min(attempt-1, 6), time.Minute)
	if asked > 0 {
		delay = asked
	}
	return delay + time.Duration(m.random()*float64(delay)/4)
}

// once sends the request once.
func (m *Model) once(ctx context.Context, q question, x *exchange) (*reply, error) {
	defer m.heartbeat(q.tell)()
	response, err := m.generate(ctx, m.call(q, x.stream), x.stream)
	s := x.seen()
	switch {
	case err != nil && s.failed():
		return nil, err
	case s.facts.filtered:
		return nil, m.error(ClassContentFilter, errors.New("the provider stopped the reply"))
	case s.facts.malformed:
		return &reply{malformed: true, usage: m.usageOf(s.facts.usage)}, nil
	case err != nil && (s.facts.otherWay || s.facts.ended && !s.facts.data || mentions(err.Error(), "no response")):
		return nil, m.error(ClassEmpty, errEmpty)
	case s.facts.broke != nil: // libraries say something else of it, or nothing
		return nil, s.facts.broke
	case err != nil:
		return nil, err
	}
	if s.facts.truncated {
		response.FinishReason = fantasy.FinishReasonLength
	}
	return m.read(response, s)
}

// generate returns the whole reply, whichever way it is asked for. What a library does not survive is an answer that cannot be read.
func (m *Model) generate(ctx context.Context, call fantasy.Call, stream bool) (response *fantasy.Response, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("read the answer: it is not what the format says: %v", r)
		}
	}()
	if stream {
		return m.collect(ctx, call)
	}
	return m.wire.Generate(ctx, call)
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

// collect reads a stream to its end. Text, reasoning and arguments come in pieces that belong together by id.
func (m *Model) collect(ctx context.Context, call fantasy.Call) (*fantasy.Response, error) {
	stream, err := m.wire.Stream(ctx, call)
	if err != nil {
		return nil, err
	}
	c := collector{response: &fantasy.Response{}, pieces: map[string]*piece{}}
	for part := range stream {
		if err := c.add(part); err != nil {
			return nil, err
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if !c.finished {
		return nil, fmt.Errorf("the stream ended early: %w", errCut)
	}
	if text := c.rest(); text != "" {
		c.response.Content = append(c.response.Content, fantasy.TextContent{Text: text})
	}
	return c.response, nil
}

// errCut is a stream that ended before the reply did.
var errCut = errors.New("unexpected end of the answer")

// collector puts the parts of a stream together, by their ids.
type collector struct {
	response *fantasy.Response
	pieces   map[string]*piece
	finished bool
}

// rest is the text of pieces that were cut off before their end.
func (c *collector) rest() string {
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(c.pieces)) {
		if !c.pieces[id].reasoning {
			b.WriteString(c.pieces[id].text.String())
		}
	}
	return b.String()
}

// piece is a text or a line of reasoning on its way. The last metadata counts: signatures come at any time.
type piece struct {
	text      strings.Builder
	metadata  fantasy.ProviderMetadata
	reasoning bool
}

func (c *collector) add(part fantasy.StreamPart) error {
	switch part.Type {
	case fantasy.StreamPartTypeError:
		return part.Error
	case fantasy.StreamPartTypeTextStart, fantasy.StreamPartTypeReasoningStart, fantasy.StreamPartTypeTextDelta, fantasy.StreamPartTypeReasoningDelta:
		c.extend(part)
	case fantasy.StreamPartTypeTextEnd:
		p := c.take(part)
		c.response.Content = append(c.response.Content, fantasy.TextContent{Text: p.text.String(), ProviderMetadata: p.metadata})
	case fantasy.StreamPartTypeReasoningEnd:
		p := c.take(part)
		c.response.Content = append(c.response.Content, fantasy.ReasoningContent{Text: p.text.String(), ProviderMetadata: p.metadata})
	case fantasy.StreamPartTypeToolCall:
		c.response.Content = append(c.response.Content, fantasy.ToolCallContent{
			ToolCallID: part.ID, ToolName: part.ToolCallName, Input: part.ToolCallInput, ProviderMetadata: part.ProviderMetadata,
		})
	case fantasy.StreamPartTypeFinish:
		c.finished = true
		c.response.FinishReason, c.response.Usage, c.response.ProviderMetadata = part.FinishReason, part.Usage, part.ProviderMetadata
	}
	return nil
}

func (c *collector) extend(part fantasy.StreamPart) *piece {
	p := c.pieces[part.ID]
	if p == nil {
		p = &piece{}
		c.pieces[part.ID] = p
	}
	p.reasoning = part.Type == fantasy.StreamPartTypeReasoningStart || part.Type == fantasy.StreamPartTypeReasoningDelta
	p.text.WriteString(part.Delta)
	if part.ProviderMetadata != nil {
		p.metadata = part.ProviderMetadata
	}
	return p
}

func (c *collector) take(part fantasy.StreamPart) *piece {
	p := c.extend(part)
	delete(c.pieces, part.ID)
	return p
}

// read turns a response into what the loop works with.
func (m *Model) read(response *fantasy.Response, s seen) (*reply, error) {
	r := &reply{finish: response.FinishReason, usage: m.usage(response, s.facts.usage)}
	var text strings.Builder
	for _, content := range response.Content {
		switch c := content.(type) {
		case fantasy.TextContent:
			if c.Text != "" {
				text.WriteString(c.Text)
				r.parts = append(r.parts, fantasy.TextPart{Text: c.Text, ProviderOptions: fantasy.ProviderOptions(c.ProviderMetadata)})
			}
		case fantasy.ReasoningContent:
			r.parts = append(r.parts, fantasy.ReasoningPart{Text: c.Text, ProviderOptions: fantasy.ProviderOptions(c.ProviderMetadata)})
		case fantasy.ToolCallContent:
			part := fantasy.ToolCallPart{
				ToolCallID: c.ToolCallID, ToolName: c.ToolName, Input: c.Input, ProviderOptions: fantasy.ProviderOptions(c.ProviderMetadata),
			}
			r.calls = append(r.calls, part)
			r.parts = append(r.parts, part)
		}
	}
	r.text = text.String()
	switch {
	case response.FinishReason == fantasy.FinishReasonError:
		return nil, m.error(ClassOverloaded, errors.New("the provider ended the reply with an error"))
	case response.FinishReason == fantasy.FinishReasonContentFilter:
		return nil, m.error(ClassContentFilter, errors.New("the provider stopped the reply"))
	case strings.TrimSpace(r.text) == "" && len(r.calls) == 0 && response.FinishReason != fantasy.FinishReasonLength:
		return nil, m.error(ClassEmpty, errEmpty)
	}
	return r, nil
}

// error is a fault that the answer itself shows.
func (m *Model) error(class Class, err error) *Error {
	return &Error{Class: class, Provider: m.config.Provider, Model: m.config.Model, Err: err, Hint: m.config.hint(class, 0)}
}
