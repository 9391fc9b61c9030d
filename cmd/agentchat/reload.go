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
	// lookEvery is how often the models file is looked at.
	lookEvery = 10 * time.Second
	// settleFor is how long a file that has changed must stay the same before it is read: somebody may still be writing it.
	settleFor = time.Second
)

// reloadModels reads the models file again at each SIGHUP, and when its content has changed, until ctx ends.
func (c *serveCmd) reloadModels(ops *server.Ops, logger *slog.Logger, every, settled time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		look := time.NewTimer(every)
		defer look.Stop()
		changed := c.read // what the file had at the last look
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

// sumOf tells a file's contents apart, through any links. A file that cannot be read has the content of its error.
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

// reload offers the models that the file has now. With a file that cannot be used the models stay as they were.
func (c *serveCmd) reload(ops *server.Ops, logger *slog.Logger) {
	if c.ModelsFile == "" {
		logger.Info("SIGHUP changes nothing: MODELS_FILE is not set")
		return
	}
	c.read = sumOf(c.ModelsFile) // first: a change in between is seen at the next look
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
