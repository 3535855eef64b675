package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"charm.land/fantasy"
)

// transportMode remembers, for all requests to a model, whether replies are streamed.
type transportMode struct {
	mu      sync.Mutex
	stream  bool
	fixed   bool // configured, or changed once already
	changed bool
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

func (t *transportMode) streamed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stream
}

// flip changes from what did not work to the other way, once; requests under way at the same time may ask for it, too.
func (t *transportMode) flip(from bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.fixed:
		return false
	case t.stream != from:
		return true // another request has done it
	case t.changed:
		return false
	}
	t.stream, t.changed = !from, true
	return true
}

// reply is one whole answer of the model, whichever way it came.
type reply struct {
	parts  []fantasy.MessagePart // as they go back into the history
	text   string
	calls  []fantasy.ToolCallPart
	finish fantasy.FinishReason
	usage  Usage
}

// errEmpty is a reply in which the model neither says nor asks for anything.
var errEmpty = errors.New("the reply is empty")

// ask sends one request until it has a reply, repeating it within the limits of the Config.
func (m *Model) ask(ctx context.Context, call fantasy.Call, budget *Budget, tell func(Event)) (*reply, error) {
	var waited time.Duration
	renewed := false
	for attempt := 1; ; attempt++ {
		if err := budget.Allow(); err != nil {
			return nil, err
		}
		stream := m.mode.streamed()
		x := &exchange{}
		r, err := m.once(withExchange(ctx, x), call, stream, tell)
		if err == nil {
			budget.Add(r.usage)
			return r, nil
		}
		budget.Add(Usage{Requests: 1, Priced: true})
		err = m.classify(ctx, err, x)
		var e *Error
		if !errors.As(err, &e) {
			return nil, err
		}
		e.Attempt, e.Attempts = attempt, m.config.Attempts
		if m.wantsOtherTransport(e) && m.mode.flip(stream) {
			attempt-- // asking the other way is not a repetition
			continue
		}
		if e.Class == ClassAuth && e.Status == http.StatusUnauthorized && !renewed && m.auth.refused() {
			renewed = true
			continue
		}
		delay := m.backoff(attempt, e.RetryAfter)
		if !e.Class.retryable() || attempt >= m.config.Attempts || waited+delay > m.config.RetryBudget {
			return nil, err
		}
		tell(Event{Kind: EventRetry, Attempt: attempt, Delay: delay, Err: err})
		if err := m.sleep(ctx, delay); err != nil {
			return nil, context.Cause(ctx)
		}
		waited += delay
	}
}

// wantsOtherTransport recognises gateways that can only stream, or cannot.
func (m *Model) wantsOtherTransport(e *Error) bool {
	if e.Class == ClassEmpty {
		return true
	}
	text := strings.ToLower(fmt.Sprint(e.Err))
	return e.Class == ClassInvalidRequest && strings.Contains(text, "stream")
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
func (m *Model) once(ctx context.Context, call fantasy.Call, stream bool, tell func(Event)) (*reply, error) {
	stop := m.heartbeat(tell)
	defer stop()
	var response *fantasy.Response
	var err error
	if stream {
		response, err = m.collect(ctx, call)
	} else {
		response, err = m.wire.Generate(ctx, call)
	}
	if err != nil {
		return nil, err
	}
	return m.read(response)
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

// piece is a text or a line of reasoning on its way. The last metadata counts: signatures come at any time.
type piece struct {
	text     strings.Builder
	metadata fantasy.ProviderMetadata
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
func (m *Model) read(response *fantasy.Response) (*reply, error) {
	r := &reply{finish: response.FinishReason, usage: m.usage(response)}
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
	case response.FinishReason == fantasy.FinishReasonContentFilter:
		return nil, &Error{Class: ClassContentFilter, Provider: m.config.Provider, Model: m.config.Model,
			Err: errors.New("the provider stopped the reply"), Hint: m.config.hint(ClassContentFilter, 0)}
	case strings.TrimSpace(r.text) == "" && len(r.calls) == 0 && response.FinishReason != fantasy.FinishReasonLength:
		return nil, &Error{Class: ClassEmpty, Provider: m.config.Provider, Model: m.config.Model, Err: errEmpty, Hint: m.config.hint(ClassEmpty, 0)}
	}
	return r, nil
}
