// Package sse reads server-sent events.
package sse

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
)

// ErrNoEvent means that a response has no event.
var ErrNoEvent = errors.New("the response has no event")

// Events reads a stream of server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html). It accepts a last event without
// its empty line, because some servers leave that out. It also accepts a JSON object instead of a
// stream: servers send one when they fail or cannot stream.
type Events struct {
	// OnComment is called for each comment; nil for none.
	OnComment func()

	source  *bufio.Reader
	begun   bool // Next was called
	line    []byte
	afterCR bool // the last line ended with a carriage return, so a line feed belongs to it
}

// Event is one event.
type Event struct {
	// Name is the type of the event, "" for none.
	Name string
	// Data is never empty.
	Data []byte
	// Whole means that Data is a JSON object that was sent instead of a stream.
	Whole bool
	// Cut means that the stream ended before the event's empty line.
	Cut bool
}

// readers keeps the buffers of ended streams for others.
var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

// NewEvents returns the events of a stream. Close it.
func NewEvents(stream io.Reader) *Events {
	source, _ := readers.Get().(*bufio.Reader)
	source.Reset(stream)
	return &Events{source: source}
}

// Close releases the buffer. Events cannot be read afterwards.
func (e *Events) Close() {
	e.source.Reset(nil)
	readers.Put(e.source)
}

// Next returns the next event, or io.EOF at the end. It skips comments and events without data,
// which only keep the connection alive. A response without any event is ErrNoEvent.
func (e *Events) Next() (Event, error) {
	first := !e.begun
	e.begun = true
	if first && e.isObject() {
		data, err := io.ReadAll(e.source)
		return Event{Data: data, Whole: true}, err
	}
	ev, err := e.next()
	if first && errors.Is(err, io.EOF) {
		return Event{}, ErrNoEvent
	}
	return ev, err
}

// isObject skips white space and a byte-order mark, and reports whether a JSON object follows.
func (e *Events) isObject() bool {
	for {
		b, err := e.source.ReadByte()
		if err != nil {
			return false // the next read returns the error again
		}
		if strings.IndexByte(" \t\r\n\xEF\xBB\xBF", b) < 0 {
			return e.source.UnreadByte() == nil && b == '{'
		}
	}
}

// next returns the next event of a stream.
func (e *Events) next() (Event, error) {
	var ev Event
	for {
		err := e.readLine()
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return Event{}, err
		}
		ev.add(e.line)
		if e.OnComment != nil && bytes.HasPrefix(e.line, []byte(":")) {
			e.OnComment()
		}
		switch {
		case (last || len(e.line) == 0) && len(ev.Data) > 0:
			ev.Cut = last
			return ev, nil
		case last:
			return Event{}, io.EOF
		case len(e.line) == 0:
			ev.Name = ""
		}
	}
}

// add adds a line to the event.
func (ev *Event) add(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "event":
		ev.Name = string(value)
	case "data":
		if len(ev.Data) > 0 {
			ev.Data = append(ev.Data, '\n')
		}
		ev.Data = append(ev.Data, value...)
	}
}

// readLine reads a line that ends with a line feed, a carriage return or both. It does not wait for
// the byte after a carriage return. On an error, e.line is the incomplete line.
func (e *Events) readLine() error {
	e.line = e.line[:0]
	for {
		b, err := e.source.ReadByte()
		if err != nil {
			return err
		}
		feedOfCR := b == '\n' && e.afterCR
		e.afterCR = b == '\r'
		switch {
		case feedOfCR:
		case b == '\n', b == '\r':
			return nil
		default:
			e.line = append(e.line, b)
		}
	}
}
