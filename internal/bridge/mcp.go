package bridge

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/internal/apikey"
	"agentchat/internal/httpapi"
)

// progressEvery is the interval of progress notifications. Clients give up after 60 s without one.
const progressEvery = 15 * time.Second

// maxMCPBody is the largest body of MCP, in bytes: a message has at most 32,768 characters, and the
// SDK decodes values of any shape, which takes many times their size.
const maxMCPBody = 256 << 10

// caller identifies the caller of a tool.
type caller struct {
	*sender
	// user is the end user; nil for none.
	user    *named
	timeout time.Duration
	// failed receives the error of the service, or of the connection to it.
	failed func(*refusal)
	// done ends when the caller has left.
	done context.Context //nolint:containedctx // the SDK does not end the call's context in all versions of the protocol
}

type callerKey struct{}

// askInput and askOutput are the arguments and the result of the tool.
type askInput struct {
	Message      string `json:"message" jsonschema:"The message for the agent."`
	Conversation string `json:"conversation,omitempty" jsonschema:"The conversation of the last answer, to continue it."`
}

type askOutput struct {
	Reply        string         `json:"reply"`
	Conversation string         `json:"conversation" jsonschema:"Send it with the next message."`
	Credits      int64          `json:"credits" jsonschema:"The price of the reply."`
	Sources      jsontext.Value `json:"sources,omitempty" jsonschema:"The passages that the reply cites."`
	Output       jsontext.Value `json:"output,omitempty" jsonschema:"The reply as JSON, if the agent has a reply schema."`
}

// ownSession matches the sessions that the bridge opens. A model could invent others, which
// strangers would share.
var ownSession = regexp.MustCompile(`^` + newSessionPrefix + `[A-Za-z0-9_-]{22}$`)

// newMCP returns the server with the one tool. It takes the caller from the context.
func newMCP(version string, every time.Duration) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "agentchat", Title: "Agent Chat", Version: version},
		&mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
	mcp.AddTool(server, &mcp.Tool{
		Name: "ask",
		Description: "Asks the AI agent behind this connection and returns its reply. " +
			"To continue, send the conversation of its last answer.",
		OutputSchema: outputSchema,
	}, func(ctx context.Context, call *mcp.CallToolRequest, in askInput) (*mcp.CallToolResult, *askOutput, error) {
		c := ctx.Value(callerKey{}).(*caller) // set by serveMCP and ServeStdio
		ctx, stop := context.WithTimeout(ctx, c.timeout)
		defer stop()
		defer context.AfterFunc(c.done, stop)()
		go notifyProgress(ctx, call, every)
		out, err := c.askTool(ctx, in)
		if err != nil {
			return nil, nil, err // an error of the tool, which the model reads
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: out.Reply}}}, out, nil
	})
	return server
}

// outputSchema is that of askOutput, whose JSON values have any type.
var outputSchema = jsontext.Value(`{"type": "object", "required": ["reply", "conversation", "credits"], "properties": {
	"reply": {"type": "string"},
	"conversation": {"type": "string", "description": "Send it with the next message."},
	"credits": {"type": "integer", "description": "The price of the reply."},
	"sources": {"type": "array", "items": {"type": "object"}, "description": "The passages that the reply cites."},
	"output": {"type": "object", "description": "The reply as JSON, if the agent has a reply schema."}}}`)

// toolError is the text of a call that failed, for the model.
type toolError string

// Error returns the text.
func (e toolError) Error() string { return string(e) }

// askTool sends one message.
func (c *caller) askTool(ctx context.Context, in askInput) (*askOutput, error) {
	session := in.Conversation
	switch {
	case session == "":
		session = newSession()
	case !ownSession.MatchString(session):
		return nil, toolError("conversation is not one that ask returned. Leave it out.")
	}
	out := &outgoing{message: message{Message: &in.Message, SessionID: session}, key: rand.Text(), random: true}
	if c.user != nil {
		out.UserID = &c.user.text
	}
	got, err := c.ask(ctx, out)
	switch {
	case errors.Is(err, errGone):
		c.failed(&refusal{code: codeGone})
		return nil, err
	case err != nil:
		refused := asRefusal(err)
		c.failed(refused)
		return nil, toolError(refused.message)
	case got.FinishReason == finishActions:
		var names []string
		for _, a := range got.Actions {
			names = append(names, a.Name)
		}
		return nil, toolError("The agent asked for " + strings.Join(names, ", ") + ", which this connection cannot run.")
	}
	return &askOutput{Reply: got.Reply, Conversation: got.SessionID, Credits: got.Usage.Credits, Sources: got.Sources,
		Output: got.Output}, nil
}

// notifyProgress sends progress notifications until the call ends, if the client asked for them.
func notifyProgress(ctx context.Context, call *mcp.CallToolRequest, every time.Duration) {
	token := call.Params.GetProgressToken()
	if token == nil {
		return
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for n := 1.0; ; n++ {
		select {
		case <-ticker.C:
			_ = call.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: n})
		case <-ctx.Done():
			return
		}
	}
}

// newMCPHandler serves MCP over HTTP. Each request is a session of its own, so only the client that
// closes a request cancels it: notifications/cancelled comes in another one, perhaps to another bridge,
// and clients of one key use the same ids. Requests with Origin were refused before, which replaces the
// check of the host.
func newMCPHandler(server *mcp.Server) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, DisableLocalhostProtection: true, PropagateRequestCancellation: true})
}

// serveMCP serves one request of MCP. Batches are refused: they would pass the limits.
func (ex *exchange) serveMCP() error {
	user, err := headerText(ex.R.Header, "X-User-Id")
	if err != nil {
		return err
	}
	body, err := ex.readJSON(maxMCPBody)
	if err != nil {
		return err
	}
	var failed atomic.Pointer[refusal] // a call may outlive its request
	ctx := context.WithValue(ex.R.Context(), callerKey{},
		&caller{sender: ex.sender(), user: user, timeout: ex.bridge.timeout, failed: failed.Store, done: ex.R.Context()})
	r := ex.R.WithContext(ctx)
	r.Body = io.NopCloser(bytes.NewReader(body))
	ex.W.Header().Set("X-Accel-Buffering", "no")
	ex.bridge.mcp.ServeHTTP(&recorder{ex.W, ex.Exchange}, r)
	if refused := failed.Load(); refused != nil {
		ex.Access.Code = refused.code
		ex.logCause(refused)
	}
	return nil
}

// recorder records the status of a response that another package writes.
type recorder struct {
	http.ResponseWriter
	ex *httpapi.Exchange
}

// WriteHeader sends the status.
func (r *recorder) WriteHeader(status int) { r.ex.WriteHeader(status) }

// Write sends a part of the body.
func (r *recorder) Write(p []byte) (int, error) {
	if r.ex.Access.Status == 0 {
		r.ex.Access.Status = http.StatusOK
	}
	return r.ResponseWriter.Write(p)
}

// Unwrap returns the writer, for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Stdio configures ServeStdio.
type Stdio struct {
	Config
	Key    apikey.Key
	UserID string
	In     io.ReadCloser
	Out    io.WriteCloser
}

// ServeStdio serves MCP over two streams until the client closes one.
func ServeStdio(ctx context.Context, c Stdio) error {
	own := &caller{sender: &sender{
		client:   newClient(string(c.Service)+chatPath, func(reason string) { c.Logger.Warn("repeated", slog.String("reason", reason)) }),
		key:      c.Key,
		answered: func(http.Header) {},
	}, timeout: c.Timeout, done: ctx, failed: func(refused *refusal) {
		c.Logger.Warn("a call failed", slog.String("code", refused.code), slog.Any("cause", refused.cause))
	}}
	if c.UserID != "" {
		own.user = &named{c.UserID, "--user-id"}
	}
	server := newMCP(c.Version, progressEvery)
	err := server.Run(context.WithValue(ctx, callerKey{}, own), &mcp.IOTransport{Reader: c.In, Writer: c.Out})
	if errors.Is(err, io.EOF) || errors.Is(err, ctx.Err()) {
		err = nil // the client, or the operator, has ended it
	}
	return err
}
