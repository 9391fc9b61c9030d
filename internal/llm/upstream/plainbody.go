package upstream

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
)

// plainBody is the body of an answer. It gives the connection back once it was read whole, and ends it otherwise.
type plainBody struct {
	io.ReadCloser
	conn *plainConn // nil once it was given back
	keep bool       // the connection can be used again
}

// Read reads what has come.
func (b *plainBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		err = b.ended(err)
	}
	return n, err
}

// ended gives the connection back, and says why the body has ended.
func (b *plainBody) ended(err error) error {
	whole, c := errors.Is(err, io.EOF), b.conn
	b.release(whole)
	if !whole && c != nil && c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	return err
}

// Close ends the connection unless the body was read whole.
func (b *plainBody) Close() error {
	b.release(false)
	return nil
}

func (b *plainBody) release(whole bool) {
	c := b.conn
	if c == nil {
		return
	}
	b.conn = nil
	if c.stop() && whole && b.keep && c.reader.Buffered() == 0 {
		c.pool.keep(c)
		return
	}
	_ = c.Close()
}

// unpacked returns an answer with its body as it was before it was compressed.
func unpacked(resp *http.Response) *http.Response {
	if strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		resp.Header.Del("Content-Encoding")
		resp.Header.Del("Content-Length")
		resp.ContentLength, resp.Uncompressed = -1, true
		resp.Body = &gzipBody{ReadCloser: resp.Body}
	}
	return resp
}

// gzipBody is a compressed body. It begins to read when it is read.
type gzipBody struct {
	io.ReadCloser
	unpacker *gzip.Reader
	err      error
}

// Read reads what was compressed.
func (g *gzipBody) Read(p []byte) (int, error) {
	if g.unpacker == nil && g.err == nil {
		g.unpacker, g.err = gzip.NewReader(g.ReadCloser)
	}
	if g.err != nil {
		return 0, g.err
	}
	return g.unpacker.Read(p)
}
