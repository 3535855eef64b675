package app

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/wikiwright/wikiwright/generate"
)

// A StreamLine is one line of what a run in a child process prints: an event, a page that is durable, or at the end the result.
type StreamLine struct {
	Event  *StreamEvent `json:"event,omitempty"`
	Page   *PageResult  `json:"page,omitempty"`
	Result *Result      `json:"result,omitempty"`
}

// A StreamEvent is one step of progress.
type StreamEvent struct {
	Stage          string `json:"stage"`
	Resumed        bool   `json:"resumed,omitempty"`
	Page           string `json:"page,omitempty"`
	PageIndex      int    `json:"pageIndex,omitempty"`
	PageCount      int    `json:"pageCount,omitempty"`
	CompletedCount int    `json:"completedCount,omitempty"`
	Text           string `json:"text,omitempty"`
}

// StreamEventOf takes from an event what a parent process needs.
func StreamEventOf(e generate.Event) *StreamEvent {
	return &StreamEvent{
		Stage: e.Stage, Resumed: e.Resumed, Page: e.Page, PageIndex: e.PageIndex, PageCount: e.PageCount,
		CompletedCount: e.CompletedCount, Text: e.Text,
	}
}

// StreamPageOf takes from a page that is durable what a parent process needs.
func StreamPageOf(p generate.PageOutcome) *PageResult {
	page := pageResultOf(p)
	return &page
}

// A StreamWriter prints lines; several goroutines may use it at once.
type StreamWriter struct {
	mu sync.Mutex
	to io.Writer
}

// NewStreamWriter returns a StreamWriter on w.
func NewStreamWriter(w io.Writer) *StreamWriter { return &StreamWriter{to: w} }

// Write prints one line.
func (s *StreamWriter) Write(line StreamLine) error {
	data, err := json.Marshal(line)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err = s.to.Write(append(data, '\n'))
	return err
}

// ErrNoResult means that the child process ended without telling a result: it was killed, or is not this program.
var ErrNoResult = errors.New("the generation ended without a result")

// ReadStream reads lines until the end and returns the result. onEvent gets every event, onPage every page that is durable: one that a
// kill of the child no longer loses.
func ReadStream(r io.Reader, onEvent func(StreamEvent), onPage func(PageResult)) (*Result, error) {
	reader := bufio.NewReader(r)
	var result *Result
	for {
		text, err := reader.ReadBytes('\n')
		if len(bytes.TrimSpace(text)) > 0 && (err == nil || errors.Is(err, io.EOF)) {
			var line StreamLine
			if jsonErr := json.Unmarshal(text, &line); jsonErr != nil && err == nil {
				return nil, fmt.Errorf("read the progress of the generation: %w", jsonErr)
			}
			if line.Event != nil {
				onEvent(*line.Event)
			}
			if line.Page != nil {
				onPage(*line.Page)
			}
			if line.Result != nil {
				result = line.Result
			}
		}
		switch {
		case errors.Is(err, io.EOF) && result == nil:
			return nil, ErrNoResult
		case errors.Is(err, io.EOF):
			return result, nil
		case err != nil:
			return nil, fmt.Errorf("read the progress of the generation: %w", err)
		}
	}
}
