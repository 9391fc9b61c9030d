// Package tracing sends traces of messages to an OpenTelemetry collector, over OTLP and HTTP.
//
// It is off unless OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT names a collector. The other variables of the
// OpenTelemetry specification, such as OTEL_TRACES_SAMPLER, OTEL_RESOURCE_ATTRIBUTES and OTEL_EXPORTER_OTLP_HEADERS, are read by its
// library. A caller's traceparent (W3C Trace Context) is honoured. Spans hold ids, names and codes, never a text or a key.
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

// flushFor is how long the last spans may take at the end.
const flushFor = 5 * time.Second

// endpoints are the variables that switch traces on.
var endpoints = []string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"}

// Start sends traces from now on, if getenv names a collector, until stop is called. Its error is one line about the variable at fault.
func Start(ctx context.Context, getenv func(string) string, version string, logger *slog.Logger) (stop func(), err error) {
	on := false
	for _, name := range endpoints {
		value := getenv(name)
		if value == "" {
			continue
		}
		if u, err := url.Parse(value); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, fmt.Errorf("%s must be an address like http://127.0.0.1:4318, not %q", name, value)
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
	// Later ones win: what the variables say of the resource is kept.
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "agentchat"),
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
		_ = provider.Shutdown(ctx) // a failure has been logged
	}, nil
}
