package chat

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"agentchat/internal/fault"
)

// tracer does nothing until package tracing is on.
var tracer = otel.Tracer("agentchat/internal/chat")

// startSpan begins a span of a message: wait, begin, knowledge, model or settle. end takes the
// error with which it ended.
func startSpan(ctx context.Context, name string) (inside context.Context, end func(error)) {
	ctx, span := tracer.Start(ctx, name)
	return ctx, func(err error) { endSpan(span, err) }
}

func endSpan(span trace.Span, err error) {
	if err != nil {
		span.SetStatus(codes.Error, string(fault.KindOf(err)))
	}
	span.End()
}

// describe puts a message's ids and names on its span, never a text.
func (r Result) describe(span trace.Span) {
	if !span.IsRecording() {
		return
	}
	span.SetAttributes(attribute.String("agentchat.turn", r.Turn.String()), attribute.String("agentchat.model", r.Model),
		attribute.Int("agentchat.version", r.Version))
	if c := r.Caller; c != nil {
		span.SetAttributes(attribute.String("agentchat.account", c.AccountID.String()),
			attribute.String("agentchat.agent", c.AgentID.String()), attribute.String("agentchat.export", c.ExportID.String()))
	}
	if r.Cause != "" {
		span.SetAttributes(attribute.String("agentchat.cause", string(r.Cause)))
	}
}
