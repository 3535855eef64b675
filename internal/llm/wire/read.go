package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	"github.com/tmaxmax/go-sse"
)

const (
	maxAnswer = 64 << 20 // bytes of an answer in any form
	maxEvent  = 16 << 20 // bytes of one event; Responses repeats the whole reply in its last one
)

// Read reads an answer to its end. The form shows itself: endpoints do not always answer in the one that was asked for. The Answer is never
// nil; beside an error it holds what had come until then, usage above all. Errors are ErrEmpty, ErrCut, a *Refusal, what the body returns,
// or about an answer that is not what the format says.
func (f Format) Read(body io.Reader, contentType string) (*Answer, error) {
	d := f.decoder()
	r := &reading{decoder: d}
	err := r.read(&bounded{body, maxAnswer}, contentType)
	a, ended := d.answer()
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		return a, err
	case ended || r.ended: // what happens to the connection after that is of no interest
		return a, nil
	case err != nil:
		return a, err
	case r.events == 0:
		return a, ErrEmpty
	}
	return a, fmt.Errorf("the stream ended early: %w", ErrCut)
}

// bounded is a reader that fails where the other would go on beyond a limit.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("the answer is larger than %d MiB", maxAnswer>>20)
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// reading is the state of one Read.
type reading struct {
	decoder decoder
	events  int
	ended   bool // a whole answer, or a mark that ends every stream
}

func (r *reading) read(body io.Reader, contentType string) error {
	if strings.HasPrefix(contentType, "application/vnd.amazon.eventstream") {
		return r.frames(body)
	}
	lines := bufio.NewReaderSize(body, 32<<10)
	first, err := firstByte(lines)
	switch {
	case err == io.EOF:
		return nil
	case err != nil:
		return fmt.Errorf("read the answer: %w", err)
	case first == '{' || first == '[':
		return r.whole(lines)
	case strings.IndexByte(":deir", first) < 0: // a comment, or the name of a field
		return errors.New("it is neither JSON nor a stream of events")
	}
	return r.stream(lines)
}

// firstByte skips white space, with which some keep connections alive, and a byte order mark.
func firstByte(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if strings.IndexByte(" \t\r\n\xef\xbb\xbf", b) < 0 {
			return b, r.UnreadByte()
		}
	}
}

// whole reads an answer that is one JSON value. Gemini makes it a list where it streams in its old way, or fails to.
func (r *reading) whole(body io.Reader) error {
	data, err := io.ReadAll(body)
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	list := []json.RawMessage{data}
	if data[0] == '[' {
		if err := json.Unmarshal(data, &list); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
	}
	for _, part := range list {
		if err := r.event("", part); err != nil {
			return err
		}
	}
	r.ended = r.events > 0
	return nil
}

// stream reads server-sent events. The reader drops an event without the empty line that ends it, which some endpoints forget at the end.
func (r *reading) stream(body io.Reader) error {
	for e, err := range sse.Read(io.MultiReader(body, strings.NewReader("\n\n")), &sse.ReadConfig{MaxEventSize: maxEvent}) {
		if err != nil {
			return fmt.Errorf("read the stream: %w", err)
		}
		switch data := strings.TrimSpace(e.Data); {
		case data == "[DONE]":
			r.ended = r.events > 0
		case strings.HasPrefix(data, "{") || data != "" && e.Type == "error":
			if err := r.event(e.Type, []byte(data)); err != nil {
				return err
			}
		}
	}
	return nil
}

// frames reads the event stream of Amazon Bedrock, whose events carry those of the format in base64.
func (r *reading) frames(body io.Reader) error {
	frames := eventstream.NewDecoder()
	for {
		m, err := frames.Decode(body, nil)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the stream: %w", err)
		}
		header := func(name string) string {
			if value := m.Headers.Get(name); value != nil {
				return value.String()
			}
			return ""
		}
		var payload struct {
			Bytes   []byte `json:"bytes"`
			Message string `json:"message"`
		}
		if err := json.Unmarshal(m.Payload, &payload); err != nil && header(":message-type") == "event" {
			return fmt.Errorf("read the stream: %w", err)
		}
		if header(":message-type") != "event" {
			return refusal(object{"type": header(":exception-type") + header(":error-code"), "message": payload.Message + header(":error-message")})
		}
		if len(payload.Bytes) == 0 {
			continue
		}
		if err := r.event("", payload.Bytes); err != nil {
			return err
		}
	}
}

func (r *reading) event(name string, data []byte) error {
	if err := failure(name, data); err != nil {
		return err
	}
	r.events++
	if err := r.decoder.add(data); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	return nil
}

// failure returns the error that an event, or a whole answer, reports.
func failure(name string, data []byte) error {
	named := name == "error"
	if !named && !bytes.Contains(data, []byte(`"error"`)) {
		return nil
	}
	var e struct {
		Type     string          `json:"type"`
		Error    json.RawMessage `json:"error"`
		Response struct {
			Error json.RawMessage `json:"error"`
		} `json:"response"`
	}
	_ = json.Unmarshal(data, &e) // what is no such object has no error in it
	switch {
	case !isNull(e.Error):
		return &Refusal{data}
	case !isNull(e.Response.Error):
		return refusal(e.Response.Error)
	case named && !json.Valid(data):
		return &Refusal{data}
	case named || e.Type == "error":
		return refusal(json.RawMessage(data))
	}
	return nil
}

func refusal(detail any) error {
	body, err := encode(object{"error": detail})
	if err != nil {
		return fmt.Errorf("read an error: %w", err)
	}
	return &Refusal{body}
}
