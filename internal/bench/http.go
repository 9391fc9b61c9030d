package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// modelTime is the response time of the model server.
const modelTime = 200 * time.Millisecond

// newClient returns a client that keeps its connections.
func newClient() *http.Client {
	return &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{
		MaxIdleConns: 1024, MaxIdleConnsPerHost: 1024, DisableCompression: true,
	}}
}

// post sends a request and reads the whole response, which must contain want.
func post(client *http.Client, address, key, body, want string) error {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, address,
		strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && (resp.StatusCode != http.StatusOK || !bytes.Contains(answer, []byte(want))) {
		err = fmt.Errorf("%d %s", resp.StatusCode, answer[:min(len(answer), 200)])
	}
	return err
}

// send sends a chat to a replica, for a complete reply or a stream.
func send(client *http.Client, r *replica, s speaker, session string, stream bool) error {
	body, want := `{"session_id":"`+session+`","message":"`+ask+`"}`, `"reply"`
	if stream {
		body, want = `{"stream":true,`+body[1:], "event: end"
	}
	return post(client, r.chat, s.key.Reveal(), body, want)
}

// modelChunks are a model's response in OpenAI's format.
const modelChunks = `data: {"id":"1","object":"chat.completion.chunk","created":1767225600,"model":"gpt-5-mini",` +
	`"choices":[{"index":0,"delta":{"content":"A reply that took its time."},"finish_reason":"stop"}],"usage":null}

data: {"id":"1","object":"chat.completion.chunk","created":1767225600,"model":"gpt-5-mini","choices":[],` +
	`"usage":{"prompt_tokens":11,"completion_tokens":6,"total_tokens":17}}

data: [DONE]

`

// startModel starts a model server on loopback and returns its address. It answers every request
// after modelTime.
func startModel() (address string, stop func(), err error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	model := &http.Server{ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			done := time.After(modelTime)
			_, _ = io.Copy(io.Discard, r.Body)
			<-done
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, modelChunks)
		})}
	go func() { _ = model.Serve(listener) }()
	return "http://" + listener.Addr().String() + "/v1", func() { _ = model.Close() }, nil
}
