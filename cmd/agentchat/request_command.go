package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/store/operator"
	"agentchat/rest"
)

// requestCmd is `agentchat request`.
type requestCmd struct {
	databaseSettings
	ID string `arg:"" help:"The request ID that the caller got in X-Request-ID."`
}

// Run prints the outcome of a request, the newest with the ID.
func (c *requestCmd) Run(ctx context.Context, out *output) error {
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		found, err := operator.On(db.DB).FindRequest(ctx, c.ID)
		if fault.Is(err, fault.NotFound) {
			return fault.New(fault.NotFound, "There is no finished request with the request ID "+c.ID+
				". Rejected requests are kept for REFUSED_RETENTION, and appear within seconds.")
		}
		if err != nil {
			return err
		}
		return out.result(requestText(found), requestObject(found))
	})
}

// statusOf returns the HTTP status for a code, which is nil for an answered request.
func statusOf(code *string) int {
	if code == nil {
		return http.StatusOK
	}
	if status, ok := rest.Statuses()[fault.Kind(*code)]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// requestObject returns a request for --json, with the fields of GraphQL's Request.
func requestObject(c operator.FoundRequest) map[string]any {
	return map[string]any{
		"id":              c.PublicID(),
		"request_id":      c.RequestID,
		"account_id":      c.AccountID,
		"at":              c.At(),
		"outcome":         c.Outcome,
		"status":          statusOf(c.Code),
		"code":            c.Code,
		"detail":          c.Detail,
		"agent_id":        c.AgentID,
		"export_id":       c.ExportID,
		"key_hint":        c.KeyHint,
		"client_address":  c.ClientAddress,
		"session_id":      c.SessionID,
		"user_id":         c.UserID,
		"model":           c.Model,
		"streamed":        c.Streamed,
		"replayed":        c.Replayed,
		"credits":         c.Credits,
		"duration_ms":     c.DurationMs,
		"waited_ms":       c.WaitedMs,
		"model_ms":        c.ModelMs,
		"conversation_id": c.ConversationID,
		"turn_id":         c.TurnID,
	}
}

// requestText formats a request for people, without unknown fields.
func requestText(c operator.FoundRequest) string {
	lines := []string{fmt.Sprintf("%s at %s: %s", c.RequestID, c.At().Format(time.RFC3339),
		strings.ToLower(string(c.Outcome)))}
	line := func(label string, value *string) {
		if value != nil && *value != "" {
			lines = append(lines, fmt.Sprintf("  %-13s %s", label, *value))
		}
	}
	text := func(value fmt.Stringer) *string { s := value.String(); return &s }
	line("code", c.Code)
	line("detail", c.Detail)
	line("account", text(c.AccountID))
	line("agent", text(c.AgentID))
	line("export", text(c.ExportID))
	line("key", c.KeyHint)
	line("client", c.ClientAddress)
	line("session", c.SessionID)
	line("end user", c.UserID)
	line("model", c.Model)
	for _, t := range []struct {
		label string
		ms    *int64
	}{{"took", c.DurationMs}, {"waited", c.WaitedMs}, {"model took", c.ModelMs}} {
		if t.ms != nil {
			line(t.label, text(time.Duration(*t.ms)*time.Millisecond))
		}
	}
	if c.ConversationID != nil {
		line("conversation", text(c.ConversationID))
	}
	return strings.Join(append(lines, fmt.Sprintf("  %-13s %d", "credits", c.Credits)), "\n")
}
