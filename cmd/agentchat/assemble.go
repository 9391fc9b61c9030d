package main

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/sync/errgroup"

	"agentchat/frontend"
	"agentchat/graph"
	"agentchat/internal/apikey"
	"agentchat/internal/auth"
	"agentchat/internal/chat"
	"agentchat/internal/download"
	"agentchat/internal/files"
	"agentchat/internal/httpapi"
	"agentchat/internal/identity"
	"agentchat/internal/knowledge/reading"
	"agentchat/internal/mail"
	"agentchat/internal/outgoing"
	"agentchat/internal/requestlog"
	"agentchat/internal/server"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/operator"
	"agentchat/internal/testruns"
	"agentchat/internal/webhook"
	"agentchat/rest"
)

// assemble builds the service from its database: the use cases, and the APIs on top.
func assemble(
	config *serveCmd, db *database, baseURL string, metrics *server.Metrics, logger *slog.Logger,
) (*server.Service, error) {
	limits := findLimits(db.Connections(), logger)
	chats := chat.New(chat.Config{
		Store:             db.DB,
		Catalogue:         config.catalogue,
		Logger:            logger,
		ModelTimeout:      config.ModelTimeout,
		BackgroundTimeout: config.BackgroundTimeout,
		SessionWait:       sessionWait,
		HoldGrace:         config.HoldGrace,
		ReapEvery:         config.ReapInterval,
		Observe:           metrics.ObserveModel,
		ObserveCost:       metrics.ObserveCost,
		ObserveBackground: metrics.ObserveBackground,
		Released:          metrics.Released,
		RetentionDays:     config.RetentionDays,
	})
	for name, pool := range db.Pools() {
		metrics.Watch(collectors.NewDBStatsCollector(pool, name))
	}
	db.OnWaited(metrics.Waited)
	metrics.WatchQueue(db.Waiting)
	metrics.WatchTurns(chats.InFlight)
	metrics.WatchReplicas(chats.Replicas)
	metrics.WatchMemory(limits.requests.Used)
	metrics.WatchHolds(operator.On(db.Own()).Holds)
	metrics.WatchCircuits(func() map[string]int { return config.catalogue.Now().Circuits() })
	config.catalogue.LogTo(logger)
	tokens, err := config.tokens(&config.databaseSettings)
	if err != nil {
		return nil, err
	}
	users := config.identity(db, tokens, logger)
	owners := config.owners(db, tokens)
	observe := func(a httpapi.AccessRecord) { metrics.Observe(a, 0) }
	panelAPI, err := config.graphQL(db, chats, users, owners, baseURL, observe, logger)
	if err != nil {
		return nil, err
	}
	readers := createReadingDir(config.DataDir)
	slow := reading.New(readers)
	reader := files.New(files.Config{
		Store:   db.Own(),
		Quick:   reading.NewQuick(readers).Read,
		Slow:    slow.Read,
		Prepare: slow.Prepare,
		Logger:  logger,
		Memory:  limits.requests,
	})
	runs := testruns.New(testruns.Config{
		Store:     db.Own(),
		Chat:      chats,
		Catalogue: config.catalogue,
		Logger:    logger,
		Memory:    limits.requests,
	})
	sendMails, err := config.sendMails(db, baseURL, logger)
	if err != nil {
		return nil, err
	}
	metrics.WatchOutbox(notifications.On(db.Own()).OutboxState)
	recorder := requestlog.New(db.Own(), config.RefusedRetention, logger)
	metrics.WatchDropped(recorder.Dropped)
	handler, err := server.NewHandler(server.Routes{
		REST: rest.New(rest.Config{
			Chat:         chats,
			Logger:       logger,
			Observe:      observer(metrics, recorder),
			NoBackground: config.BackgroundTimeout == 0,
		}),
		GraphQL: panelAPI,
		Schema:  graph.NewSchema(binaryVersion()),
		OpenAPI: rest.NewOpenAPI(binaryVersion(), baseURL),
		Download: download.NewHandler(download.Config{Store: db.Panel(), Identity: users, Logger: logger,
			Observe: observe, Memory: limits.requests}),
		Panel:           frontend.Files(),
		HTTPS:           strings.HasPrefix(baseURL, "https://"),
		TrustedProxies:  config.TrustedProxies,
		Logger:          logger,
		ResponseTimeout: config.responseTimeout(),
	})
	if err != nil {
		return nil, err
	}
	return &server.Service{
		Connections: limits.connections,
		Bodies:      httpapi.Bodies{Memory: limits.requests, Account: accountOf(chats)},
		Logger:      logger,
		Handler:     handler,
		Check:       chats.Ready,
		Work: together(chats.Run, users.Run, recorder.Run, reader.Run, runs.Run, sendMails,
			config.sendWebhooks(db, logger), config.sendOwnerWebhooks(db, tokens, logger)),
		Drain:         func() { runs.Drain(); chats.Drain() },
		Wait:          chats.Wait,
		Died:          db.died(),
		ShutdownDelay: config.ShutdownDelay,
		DrainTimeout:  config.drainTimeout(),
	}, nil
}

// readingDir is the directory in which the processes that read files store the compiled PDF reader.
func readingDir(dataDir string) string { return filepath.Join(dataDir, "reading") }

// createReadingDir creates and returns the readingDir. It returns "" if that is impossible: then the
// PDF reader is compiled for each file.
func createReadingDir(dataDir string) string {
	dir := readingDir(dataDir)
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return dir
}

// accountOf returns a function that finds a request's account by its key, if the chat service has
// cached it.
func accountOf(chats *chat.Service) func(*http.Request) uuid.UUID {
	return func(r *http.Request) uuid.UUID {
		if key, ok := apikey.Parse(httpapi.BearerToken(r.Header)); ok {
			return chats.AccountOf(key.Hash())
		}
		return uuid.Nil
	}
}

// sendMails returns the worker that sends mails. Without a mail server it does nothing.
func (c *serveCmd) sendMails(
	db *database, baseURL string, logger *slog.Logger,
) (func(context.Context) error, error) {
	server := c.server()
	if server == nil {
		return func(context.Context) error { return nil }, nil
	}
	worker, err := mail.NewWorker(mail.Config{Store: db.Own(), Server: *server, Panel: baseURL,
		Logger: logger})
	if err != nil {
		return nil, err
	}
	return worker.Run, nil
}

// sendWebhooks returns the worker that posts events. Without WEBHOOK_URL it does nothing.
func (c *serveCmd) sendWebhooks(db *database, logger *slog.Logger) func(context.Context) error {
	if !c.on() {
		return func(context.Context) error { return nil }
	}
	secret, _ := webhook.ParseSecret(string(c.WebhookSecret)) // validated with the settings
	return webhook.NewWorker(webhook.Config{Store: db.Own(), URL: string(c.WebhookURL), Secret: secret,
		Logger: logger}).Run
}

// sendOwnerWebhooks returns the worker that posts events to owners' webhooks. Without
// OWNER_WEBHOOKS=on it does nothing.
func (c *serveCmd) sendOwnerWebhooks(
	db *database, tokens *auth.Tokens, logger *slog.Logger,
) func(context.Context) error {
	if !c.ownerWebhooks {
		return func(context.Context) error { return nil }
	}
	return webhook.NewOwnerWorker(webhook.OwnerConfig{Store: db.Own(), Tokens: tokens,
		Client: outgoing.New(c.OutgoingAllow), Logger: logger}).Run
}

// stateOf returns a function that counts the waiting and the failed messages of a kind.
func stateOf(
	db *database, kind notifications.Kind,
) func(context.Context) (notifications.OutboxState, error) {
	return func(ctx context.Context) (notifications.OutboxState, error) {
		return notifications.On(db.Own()).OutboxState(ctx, kind)
	}
}

// owners returns what manages owners' webhooks; nil if they are off.
func (c *serveCmd) owners(db *database, tokens *auth.Tokens) *webhook.Owners {
	if !c.ownerWebhooks {
		return nil
	}
	return &webhook.Owners{
		Store:    db.Panel(),
		Tokens:   tokens,
		CheckURL: outgoing.New(c.OutgoingAllow).CheckURL,
	}
}

// identity builds the service that authenticates users of the panel.
func (c *serveCmd) identity(
	db *database, tokens *auth.Tokens, logger *slog.Logger,
) *identity.Service {
	return identity.New(identity.Config{
		Store:               db.Own(),
		Hasher:              auth.NewHasher(),
		Tokens:              tokens,
		SignUpOpen:          c.signUpOpen,
		StartingCredits:     c.StartingCredits,
		Logger:              logger,
		RequireSecondFactor: c.RequireSecond == "true",
		Mail:                c.SMTPURL != "",
		SupportContact:      string(c.SupportContact),
	})
}

func (c *serveCmd) graphQL(db *database, chats *chat.Service, users *identity.Service,
	owners *webhook.Owners, baseURL string, observe func(httpapi.AccessRecord),
	logger *slog.Logger,
) (http.Handler, error) {
	warnOfOtherSites(c.AllowedOrigins, baseURL, logger)
	return graph.NewHandler(graph.Config{
		Store:          db.Panel(),
		Chat:           chats,
		Identity:       users,
		Catalogue:      c.catalogue,
		Logger:         logger,
		AllowedOrigins: c.AllowedOrigins,
		Statuses:       rest.Statuses(),
		Shop:           c.shop(),
		Webhooks:       owners,
		Info: graph.Info{
			Version:          binaryVersion(),
			BaseURL:          baseURL,
			BridgeURL:        string(c.BridgeURL),
			CreditsHelp:      string(c.CreditsHelp),
			SupportContact:   string(c.SupportContact),
			Mail:             c.SMTPURL != "",
			RefusedRetention: c.RefusedRetention,
			RetentionDays:    c.RetentionDays,
		},
		Observe: observe,
	})
}

// together combines background work into one function, which runs it concurrently.
func together(works ...func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		group, ctx := errgroup.WithContext(ctx)
		for _, work := range works {
			group.Go(func() error { return work(ctx) })
		}
		return group.Wait()
	}
}

// observer returns a function that counts the responses of the chat API and records requests
// without a turn.
func observer(metrics *server.Metrics, recorder *requestlog.Recorder) func(rest.AccessRecord) {
	return func(a rest.AccessRecord) {
		if r := a.Rejected; r != nil {
			var account uuid.UUID
			if a.Caller != nil {
				account = a.Caller.AccountID
			}
			recorder.Record(account, conversations.RejectedRequest{
				Key:           r.Key,
				At:            r.At,
				RequestID:     a.RequestID,
				Status:        a.Status,
				Code:          a.Code,
				Detail:        r.Detail,
				ClientAddress: r.ClientAddress.String(),
				SessionID:     r.SessionID,
				UserID:        r.UserID,
				Streamed:      r.Streamed,
				Duration:      a.Duration,
				Turn:          r.Turn,
			})
		}
		metrics.Observe(a.AccessRecord, a.Credits)
		if a.Route == rest.ChatPath && a.Status != http.StatusAccepted { // those are counted at their end
			metrics.ObserveChat(a.Code, a.Model, a.Duration, a.Own)
		}
	}
}
