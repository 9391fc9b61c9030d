package llmtest

import (
	"compress/gzip"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentchat/internal/llm"
)

// The replies in this file work with every provider. They use the server's format.

// Text answers with a text in pieces, one by one.
func Text(pieces ...string) Reply {
	return func(e *Call) {
		contentType, body := e.format.answer(pieces)
		Body(contentType, body...)(e)
	}
}

// TextObserved answers like Text. It calls before with the number of each piece, from 0, right
// before sending it, so that a test can note the time or hold the piece back.
func TextObserved(before func(piece int), pieces ...string) Reply {
	return func(e *Call) {
		contentType, body := e.format.answer(pieces)
		e.W.Header().Set("Content-Type", contentType)
		for i, piece := range body {
			before(i)
			if !e.write(piece) {
				return
			}
		}
	}
}

// Calls answers with a text, which may be empty, and calls. Only the names and arguments of the
// calls are used.
func Calls(text string, calls ...llm.Call) Reply {
	return func(e *Call) {
		contentType, body := e.format.calls(text, calls)
		Body(contentType, body...)(e)
	}
}

// Cut answers with a text that was cut off at the output limit.
func Cut(text string) Reply {
	return func(e *Call) {
		contentType, body := e.format.cut(text)
		Body(contentType, body...)(e)
	}
}

// Blocked answers with a text that the provider's safety rules cut off.
func Blocked(text string) Reply {
	return func(e *Call) {
		contentType, body := e.format.blocked(text)
		Body(contentType, body...)(e)
	}
}

// Raw answers with a text that is written between the quotes of a JSON string without escaping.
func Raw(text string) Reply {
	return func(e *Call) {
		const mark = "the text stands here"
		contentType, body := e.format.answer([]string{mark})
		Body(contentType, strings.Replace(body[0], mark, text, 1))(e)
	}
}

// Body answers 200 with pieces of a body, each flushed.
func Body(contentType string, pieces ...string) Reply {
	return func(e *Call) {
		e.W.Header().Set("Content-Type", contentType)
		for _, piece := range pieces {
			e.write(piece)
		}
	}
}

// Status refuses with a status, in the provider's format. headers are alternating names and values.
func Status(status int, headers ...string) Reply {
	return func(e *Call) {
		for i := 0; i+1 < len(headers); i += 2 {
			e.W.Header().Set(headers[i], headers[i+1])
		}
		e.W.Header().Set("Content-Type", "application/json; charset=UTF-8")
		e.W.WriteHeader(status)
		e.write(e.format.failure(status))
	}
}

// StatusBody refuses with a status and a body.
func StatusBody(status int, body string) Reply {
	return func(e *Call) {
		e.W.Header().Set("Content-Type", "application/json; charset=UTF-8")
		e.W.WriteHeader(status)
		e.write(body)
	}
}

// Hang does not answer until the caller has left.
func Hang() Reply { return func(e *Call) { <-e.Over } }

// HangAfter answers with the beginning of a text, and nothing after it.
func HangAfter(pieces ...string) Reply {
	return func(e *Call) {
		begin(pieces)(e)
		<-e.Over
	}
}

// Delayed answers with another reply after a wait, if the caller is still there.
func Delayed(wait time.Duration, reply Reply) Reply {
	return func(e *Call) {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
			reply(e)
		case <-e.Over:
		}
	}
}

// FailAfter answers with the beginning of a text, then with an error.
func FailAfter(pieces ...string) Reply {
	return func(e *Call) {
		begin(pieces)(e)
		e.write(e.format.interruption())
	}
}

// EndAfter answers with the beginning of a text, and ends the body as if it were complete.
func EndAfter(pieces ...string) Reply { return begin(pieces) }

// begin answers with the beginning of a text.
func begin(pieces []string) Reply {
	return func(e *Call) {
		contentType, body := e.format.answer(append(slices.Clone(pieces), "never sent"))
		Body(contentType, body[:len(pieces)]...)(e)
	}
}

// Slow answers with a text, one byte of the body at a time.
func Slow(every time.Duration, pieces ...string) Reply {
	return func(e *Call) {
		contentType, body := e.format.answer(pieces)
		e.W.Header().Set("Content-Type", contentType)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for _, b := range []byte(strings.Join(body, "")) {
			if !e.write(string([]byte{b})) {
				return
			}
			select {
			case <-ticker.C:
			case <-e.Over:
				return
			}
		}
	}
}

// HTML answers 200 with a web page, like a captive portal or a proxy.
func HTML() Reply {
	return Body("text/html; charset=utf-8",
		"<!doctype html><html><title>Sign in</title><p>Please sign in to the network.</html>")
}

// Garbage answers 200 with meaningless bytes.
func Garbage() Reply { return Body("application/json", "\x00\x01\xfe\xff not json \x80{{{") }

// EndlessText answers with one text of size bytes. It calls written with the number of bytes that
// were sent before the caller closed the connection.
func EndlessText(size int, written func(int)) Reply {
	return func(e *Call) {
		const mark = "the text begins"
		_, body := e.format.answer([]string{mark})
		head, _, _ := strings.Cut(body[0], mark)
		e.goOn(head, strings.Repeat("a", 64<<10), size, written)
	}
}

// EndlessPieces answers with small pieces of text, up to size bytes. It calls written with the
// number of bytes that were sent before the caller closed the connection.
func EndlessPieces(size int, written func(int)) Reply {
	return func(e *Call) {
		_, body := e.format.answer([]string{"first", strings.Repeat("b", 1<<10), "last"})
		e.goOn(body[0], body[1], size, written)
	}
}

func (e *Call) goOn(first, rest string, size int, written func(int)) {
	total, piece := 0, first
	for total < size {
		n, err := io.WriteString(e.W, piece)
		total += n
		if err != nil {
			break
		}
		piece = rest
	}
	written(total)
}

// GzipBomb answers with a small compressed body that contains a text of size bytes.
func GzipBomb(size int) Reply {
	return func(e *Call) {
		const mark = "the text begins"
		contentType, body := e.format.answer([]string{mark})
		head, tail, _ := strings.Cut(body[0], mark)
		e.W.Header().Set("Content-Type", contentType)
		e.W.Header().Set("Content-Encoding", "gzip")
		// The piece is compressed once and sent repeatedly, so that the caller does not wait for the
		// compression.
		text := strings.Repeat("a", 1<<20)
		piece := compressed(text)
		more := e.write(compressed(head))
		// The caller closes the connection before the end.
		for written := 0; written < size && more; written += len(text) {
			more = e.write(piece)
		}
		e.write(compressed(tail))
	}
}

// compressed returns a text as a complete gzip file. Readers accept several in a row as one.
func compressed(text string) string {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.String()
}

// Redirect answers with a redirect to a URL.
func Redirect(status int, to string) Reply {
	return func(e *Call) {
		e.W.Header().Set("Location", to)
		e.W.WriteHeader(status)
	}
}

// CutOff answers with the first half of a body, then closes the connection.
func CutOff(pieces ...string) Reply {
	return func(e *Call) {
		contentType, body := e.format.answer(pieces)
		whole := strings.Join(body, "")
		e.W.Header().Set("Content-Type", contentType)
		e.W.Header().Set("Content-Length", strconv.Itoa(len(whole)))
		e.write(whole[:len(whole)/2])
		panic(http.ErrAbortHandler)
	}
}

// Bytes writes raw bytes instead of an HTTP answer, and closes the connection.
func Bytes(text string) Reply {
	return func(e *Call) {
		conn, _, err := http.NewResponseController(e.W).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(conn, text)
		_ = conn.Close()
	}
}

// Drop closes the connection without an answer.
func Drop() Reply { return func(*Call) { panic(http.ErrAbortHandler) } }

// write sends a piece at once. It reports whether the caller is still connected.
func (e *Call) write(piece string) bool {
	if _, err := io.WriteString(e.W, piece); err != nil {
		return false
	}
	return http.NewResponseController(e.W).Flush() == nil
}
