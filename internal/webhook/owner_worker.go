package webhook

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/outgoing"
	"agentchat/internal/store"
	"agentchat/internal/store/webhooks"
)

const (
	// A process posts at most maxPosts events at once, accountPosts of one account, and one of one
	// webhook.
	maxPosts     = 16
	accountPosts = 2
	// ownerLookEvery is the interval for gathering messages and polling events.
	ownerLookEvery = 5 * time.Second
	gatherBatch    = 100
	// recordWithin is the time limit for storing the result of a try, also during shutdown.
	recordWithin = 5 * time.Second
)

// OwnerConfig configures an OwnerWorker.
type OwnerConfig struct {
	Store  *store.DB
	Tokens *auth.Tokens
	Client *outgoing.Client
	Logger *slog.Logger
	// LookEvery is the interval for gathering messages and polling events; 0 means 5 s. SendWithin is
	// the time limit of one request if it is below the client's.
	LookEvery, SendWithin time.Duration
}

// OwnerWorker posts events to the webhooks of owners. Run does its work.
type OwnerWorker struct {
	cfg OwnerConfig
	// gathered has an item if there may be events to post.
	gathered chan struct{}
}

// NewOwnerWorker returns an OwnerWorker.
func NewOwnerWorker(cfg OwnerConfig) *OwnerWorker {
	cfg.LookEvery = cmp.Or(cfg.LookEvery, ownerLookEvery)
	cfg.SendWithin = cmp.Or(cfg.SendWithin, sendWithin)
	return &OwnerWorker{cfg, make(chan struct{}, 1)}
}

// Run gathers answered messages and posts events until the context ends. It always returns nil.
func (w *OwnerWorker) Run(ctx context.Context) error {
	var work sync.WaitGroup
	work.Go(func() { w.gather(ctx) })
	work.Go(func() { w.post(ctx) })
	work.Wait()
	return nil
}

// gather queues answered messages, in passes over all webhooks. If a pass left some, the next one
// follows at once.
func (w *OwnerWorker) gather(ctx context.Context) {
	look := time.NewTicker(w.cfg.LookEvery)
	defer look.Stop()
	var after uuid.UUID
	left := false
	for ctx.Err() == nil {
		next, full, err := webhooks.On(w.cfg.Store).Gather(ctx, after, gatherBatch)
		w.log(ctx, "gathering messages for webhooks", err)
		select {
		case w.gathered <- struct{}{}:
		default:
		}
		after, left = next, (left || full) && err == nil
		if after != uuid.Nil || left {
			left = left && after != uuid.Nil // a pass ends with uuid.Nil
			continue
		}
		select {
		case <-look.C:
		case <-ctx.Done():
		}
	}
}

// post posts events until the context ends, then waits for posts in flight.
func (w *OwnerWorker) post(ctx context.Context) {
	look := time.NewTicker(w.cfg.LookEvery)
	defer look.Stop()
	inFlight, ended := map[uuid.UUID]bool{}, make(chan uuid.UUID, maxPosts)
	for ctx.Err() == nil {
		w.claim(ctx, inFlight, ended)
		select {
		case id := <-ended:
			delete(inFlight, id)
		case <-w.gathered:
		case <-look.C:
		case <-ctx.Done():
		}
		for len(ended) > 0 {
			delete(inFlight, <-ended)
		}
	}
	for range inFlight {
		<-ended
	}
}

// claim starts as many posts as there is room for. Each sends its webhook's ID to ended.
func (w *OwnerWorker) claim(ctx context.Context, inFlight map[uuid.UUID]bool, ended chan<- uuid.UUID) {
	room := maxPosts - len(inFlight)
	if room == 0 {
		return
	}
	claimed, err := webhooks.On(w.cfg.Store).Claim(ctx, room, accountPosts, slices.Collect(maps.Keys(inFlight)))
	w.log(ctx, "looking for events to post", err)
	for _, o := range claimed {
		inFlight[o.WebhookID] = true
		go func() {
			defer func() { ended <- o.WebhookID }()
			w.try(ctx, o)
		}()
	}
}

// try posts an event. It stores the result even if the context ends meanwhile.
func (w *OwnerWorker) try(ctx context.Context, o webhooks.Outgoing) {
	result := w.send(ctx, o)
	interrupted := ctx.Err() != nil && result.Reason != "" && result.Status == 0
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordWithin)
	defer cancel()
	if interrupted {
		w.log(ctx, "releasing an event", webhooks.On(w.cfg.Store).Release(ctx, o))
		return
	}
	w.log(ctx, "storing a try of an event", webhooks.On(w.cfg.Store).Record(ctx, o, result))
}

func (w *OwnerWorker) send(ctx context.Context, o webhooks.Outgoing) webhooks.Try {
	body, err := Body(o.Event, o.CreatedAt, o.Data)
	secrets, ok := w.secrets(o)
	if err != nil || !ok {
		// Like other failures, this switches the webhook off after three days.
		w.log(ctx, "decrypting the secret of webhook "+o.WebhookID.String(),
			errors.New("JWT_SECRET was replaced; its owner can rotate the secret"))
		return webhooks.Try{Reason: webhooks.NotReached}
	}
	ctx, cancel := context.WithTimeout(ctx, w.cfg.SendWithin)
	defer cancel()
	answer, err := w.cfg.Client.Post(ctx, o.URL, header(o.ID, body, secrets...), body)
	result := webhooks.Try{Status: answer.Status, Took: answer.Took}
	if err != nil {
		result.Reason = webhooks.Reason(outgoing.Reason(err))
	}
	return result
}

// secrets returns the secrets that sign an event; ok is false if the first cannot be decrypted.
func (w *OwnerWorker) secrets(o webhooks.Outgoing) (secrets [][]byte, ok bool) {
	secret, ok := w.cfg.Tokens.Decrypt(o.WebhookID, o.Secret)
	secrets = append(secrets, secret)
	if previous, known := w.cfg.Tokens.Decrypt(o.WebhookID, o.PreviousSecret); known {
		secrets = append(secrets, previous)
	}
	return secrets, ok
}

// log logs an error, unless the event is gone or another worker has claimed it.
func (w *OwnerWorker) log(ctx context.Context, what string, err error) {
	if err != nil && !fault.Is(err, fault.NotFound) && ctx.Err() == nil {
		w.cfg.Logger.WarnContext(ctx, what+" failed and will be retried", slog.String("error", err.Error()))
	}
}
