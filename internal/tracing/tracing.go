// Package tracing sends traces of messages to an OpenTelemetry collector, over OTLP and HTTP.
//
// It is off unless OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT names a
// collector. The OpenTelemetry library reads the other variables of its specification, such as
// OTEL_TRACES_SAMPLER, OTEL_RESOURCE_ATTRIBUTES and OTEL_EXPORTER_OTLP_HEADERS. A caller's
// traceparent (W3C Trace Context) is honored. Spans contain ids, names and codes, never a text or a
// key.
package tracing

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"golang.org/x/time/rate"
)

// flushFor is the time limit for sending the last spans at the end.
const flushFor = 5 * time.Second

// endpoints are the variables that enable tracing.
var endpoints = []string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"}

// Start sends traces, if getenv names a collector, until stop is called. Its error is one line
// about the invalid variable.
func Start(ctx context.Context, getenv func(string) string, version string,
	logger *slog.Logger) (stop func(), err error) {
	on := false
	for _, name := range endpoints {
		value := getenv(name)
		if value == "" {
			continue
		}
		if u, err := url.Parse(value); err != nil || u.Scheme != "http" && u.Scheme != "https" ||
			u.Host == "" {
			return nil, fmt.Errorf("%s must be a URL like http://127.0.0.1:4318, not %q", name, value)
		}
		on = true
	}
	if !on || strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") {
		return func() {}, nil
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, err
	}
	// Later ones win, so the variables override the resource attributes.
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "agentchat"),
			attribute.String("service.version", version)), resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	seldom := rate.Sometimes{Interval: time.Minute}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		seldom.Do(func() { logger.Warn("traces are not sent", slog.Any("error", err)) })
	}))
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	otel.SetTracerProvider(provider)
	otel.SetTextMapPropagator(propagation.TraceContext{})
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), flushFor)
		defer cancel()
		_ = provider.Shutdown(ctx) // the error handler has logged a failure
	}, nil
}
