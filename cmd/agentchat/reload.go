package main

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"os"
	"time"

	"agentchat/internal/server"
)

const (
	// lookEvery is the interval between checks of the models file.
	lookEvery = 10 * time.Second
	// settleFor is the time that a changed file must stay unchanged before it is read, because it
	// may still be written to.
	settleFor = time.Second
)

// reloadModels reloads the models file at each SIGHUP and after each change, until ctx ends.
func (c *serveCmd) reloadModels(
	ops *server.Ops, logger *slog.Logger, every, settled time.Duration,
) func(context.Context) error {
	return func(ctx context.Context) error {
		look := time.NewTimer(every)
		defer look.Stop()
		changed := c.read // the sum at the last check
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-c.hangups:
				c.reload(ops, logger)
				changed = c.read
			case <-look.C:
				now := sumOf(c.ModelsFile)
				switch {
				case now == c.read:
				case now != changed:
					changed = now
					look.Reset(settled)
					continue
				default:
					c.reload(ops, logger)
				}
				look.Reset(every)
			}
		}
	}
}

// sumOf returns the checksum of a file's content, or of the error if the file cannot be read.
func sumOf(path string) [sha256.Size]byte {
	if path == "" {
		return [sha256.Size]byte{}
	}
	content, err := os.ReadFile(path)
	if err != nil {
		content = []byte(err.Error())
	}
	return sha256.Sum256(content)
}

// reload replaces the models with those in the file. If the file is invalid, the models stay
// unchanged.
func (c *serveCmd) reload(ops *server.Ops, logger *slog.Logger) {
	if c.ModelsFile == "" {
		logger.Info("SIGHUP changes nothing: MODELS_FILE is not set")
		return
	}
	c.read = sumOf(c.ModelsFile) // first, so that the next check sees a change in between
	models, err := c.loadCatalogue(c.env)
	if err != nil {
		ops.ModelsKept(err.Error())
		logger.Error("the models were not reloaded", slog.Any("error", err))
		return
	}
	open := c.signUpOpen()
	c.catalogue.Replace(models)
	ops.ModelsKept("")
	logger.Info("the models were reloaded", slog.Int("models", len(models.All())))
	if now := c.signUpOpen(); now != open {
		logger.Warn("the models decide who may open accounts, because SIGN_UP is not set",
			slog.Bool("sign_up_open", now))
	}
}
