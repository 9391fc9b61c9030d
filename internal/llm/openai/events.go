package openai

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// events reads a stream of events (https://html.spec.whatwg.org/multipage/server-sent-events.html), with what servers are known
// to get wrong: the last event may lack its empty line.
type events struct {
	source  *bufio.Reader
	line    []byte
	afterCR bool // the last line ended with a carriage return, whose line feed may follow
}

// event is one event that has data.
type event struct {
	name string
	data []byte
}

// next returns the next event; io.EOF at the end. Comments and events without data, which keep a connection alive, are skipped.
func (e *events) next() (event, error) {
	ev := &event{}
	for {
		err := e.readLine()
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return event{}, err
		}
		ev.add(e.line)
		switch {
		case (last || len(e.line) == 0) && len(ev.data) > 0:
			return *ev, nil
		case last:
			return event{}, io.EOF
		case len(e.line) == 0:
			ev.name = ""
		}
	}
}

// add adds what a line says.
func (ev *event) add(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "event":
		ev.name = string(value)
	case "data":
		if len(ev.data) > 0 {
			ev.data = append(ev.data, '\n')
		}
		ev.data = append(ev.data, value...)
	}
}

// readLine reads a line, ended by a line feed, a carriage return or both. It does not wait for what follows a carriage return. With
// an error the line holds what came before it.
func (e *events) readLine() error {
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
