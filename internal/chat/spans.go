package chat

import (
	"cmp"
	"context"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
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

// The attributes of a model call's span. They follow OpenTelemetry's conventions for generative AI,
// which are not stable. TestModelCallSpans pins them.
const (
	spanOperation    = attribute.Key("gen_ai.operation.name")
	spanProvider     = attribute.Key("gen_ai.provider.name")
	spanRequestModel = attribute.Key("gen_ai.request.model")
	spanInputTokens  = attribute.Key("gen_ai.usage.input_tokens")
	spanOutputTokens = attribute.Key("gen_ai.usage.output_tokens")
	spanCachedTokens = attribute.Key("gen_ai.usage.cache_read.input_tokens")
	spanErrorType    = attribute.Key("error.type")

	operationChat  = "chat"
	providerGemini = "gcp.gemini" // for the provider named gemini; all others have their own names
)

// startCall begins a call of the turn's model. From here to end, the call is part of the turn's
// model time and has a span, which contains no text. A second attempt and the fallback model are
// calls of their own; retries in an adapter are part of their call.
func (t *turn) startCall(ctx context.Context) (inside context.Context, end func(llm.Reply, error)) {
	entry, _ := t.catalogue.Lookup(t.model)
	model, provider := cmp.Or(entry.UpstreamName, entry.Name), entry.Provider
	if provider == "gemini" {
		provider = providerGemini
	}
	ctx, span := tracer.Start(ctx, operationChat+" "+model, trace.WithSpanKind(trace.SpanKindClient))
	started := time.Now()
	return ctx, func(reply llm.Reply, err error) {
		t.timing.Model += time.Since(started)
		if span.IsRecording() {
			span.SetAttributes(spanOperation.String(operationChat), spanProvider.String(provider),
				spanRequestModel.String(model))
			describeCall(span, reply, err)
		}
		endSpan(span, err)
	}
}

// describeCall adds a call's plausible token counts and the cause of its failure to its span.
func describeCall(span trace.Span, reply llm.Reply, err error) {
	for key, tokens := range map[attribute.Key]*int64{
		spanInputTokens:  reply.InputTokens,
		spanOutputTokens: reply.OutputTokens,
		spanCachedTokens: reply.CachedTokens,
	} {
		if tokens = plausible(tokens); tokens != nil {
			span.SetAttributes(key.Int64(*tokens))
		}
	}
	if err == nil {
		return
	}
	if cause := llm.CauseOf(err); cause != "" {
		span.SetAttributes(spanErrorType.String(string(cause)))
	}
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
