package main

import (
	"context"
	"log/slog"

	"agentchat/internal/server"
)

// reloadModels reads the models file again at each SIGHUP, until ctx ends.
func (c *serveCmd) reloadModels(ops *server.Ops, logger *slog.Logger) func(context.Context) error {
	return func(ctx context.Context) error {
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-c.hangups:
				c.reload(ops, logger)
			}
		}
	}
}

// reload offers the models that the file has now. With a file that cannot be used the models stay as they were.
func (c *serveCmd) reload(ops *server.Ops, logger *slog.Logger) {
	if c.ModelsFile == "" {
		logger.Info("SIGHUP changes nothing: MODELS_FILE is not set")
		return
	}
	models, err := c.loadCatalogue(c.env)
	if err != nil {
		ops.ModelsKept(err.Error())
		logger.Error("the models stay as they were", slog.Any("error", err))
		return
	}
	open := c.signUpOpen()
	c.catalogue.Replace(models)
	ops.ModelsKept("")
	logger.Info("the models were reloaded", slog.Int("models", len(models.All())))
	if now := c.signUpOpen(); now != open {
		logger.Warn("the models decide who may open accounts, because SIGN_UP is not set", slog.Bool("sign_up_open", now))
	}
}
