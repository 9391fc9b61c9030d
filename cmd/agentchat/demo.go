package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/users"
	"agentchat/internal/store/versions"
)

// The parts of the demo.
const (
	demoEmail        = "demo@example.com"
	demoAccountName  = "Demo"
	demoAgentName    = "Demo assistant"
	demoExportName   = "Demo export"
	demoModel        = "sandbox/assistant"
	demoDescription  = "Answers from the sandbox: its replies are made up for testing."
	demoInstructions = "You are the friendly assistant of a small shop. Answer briefly, and use what was said before."
	demoFile         = "demo.json"
)

// demo is the content of the demo's file. The password and the key are plain text because every
// start prints them. Only the file's owner can read it.
type demo struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	APIKey   string `json:"api_key"`
	// AccountID and AgentID belong to the password and the key. In another database they differ.
	AccountID uuid.UUID `json:"account_id"`
	AgentID   uuid.UUID `json:"agent_id"`
}

// curl is a line to paste into a POSIX shell: no part of it needs more quoting.
func (d *demo) curl(address string) string {
	return fmt.Sprintf(`curl -sS %s -H 'Authorization: Bearer %s' -H 'Content-Type: application/json' `+
		`-d '{"message":"Hello, my name is Ada.","session_id":"demo"}'`, address, d.APIKey)
}

// demoMaker creates the missing parts of the demo, step by step.
type demoMaker struct {
	store   *store.DB
	hasher  *auth.Hasher
	path    string
	credits int64
	file    demo
}

// ensureDemo creates the demo's account, agent and export if they are missing or do not match the
// file, and returns the file. It writes secrets to the file before the database, so that an
// interrupted start cannot lose them.
func ensureDemo(ctx context.Context, config *serveCmd, db *database) (*demo, error) {
	m := &demoMaker{
		store: db.DB, hasher: auth.NewHasher(), credits: config.StartingCredits,
		path: filepath.Join(config.DataDir, demoFile),
	}
	if err := m.readFile(); err != nil {
		return nil, err
	}
	owner, err := m.ensureAccount(ctx)
	if err != nil {
		return nil, err
	}
	assistant, err := m.ensureAgent(ctx, owner)
	if err != nil {
		return nil, err
	}
	if err := m.ensureKey(ctx, assistant); err != nil {
		return nil, err
	}
	return &m.file, nil
}

// readFile reads the file of an earlier start. It replaces an unusable file, because everything in
// it can be recreated.
func (m *demoMaker) readFile() error {
	content, err := os.ReadFile(m.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot read %s: %w", m.path, plainFileError(err))
	}
	if err == nil &&
		(json.Unmarshal(content, &m.file) != nil ||
			auth.CheckPassword("", m.file.Password, demoEmail) != nil) {
		m.file = demo{}
	}
	m.file.Email = demoEmail
	if m.file.Password != "" {
		return nil
	}
	m.file = demo{Email: demoEmail, Password: rand.Text(), APIKey: m.file.APIKey}
	return m.writeFile()
}

func (m *demoMaker) writeFile() error {
	content, err := json.MarshalIndent(m.file, "", "  ")
	if err == nil {
		err = writePrivateFile(m.path, append(content, '\n'))
	}
	if err != nil {
		return fmt.Errorf("cannot keep the demo's password and key: %w", err)
	}
	return nil
}

// ensureAccount opens the account. If it exists but the file does not know it, the file's password
// is set.
func (m *demoMaker) ensureAccount(ctx context.Context) (accounts.Owned, error) {
	owner, err := operator.On(m.store).AccountByEmail(ctx, demoEmail)
	if err == nil && owner.ID == m.file.AccountID {
		return owner, nil
	}
	if err != nil && !fault.Is(err, fault.NotFound) {
		return accounts.Owned{}, err
	}
	hash, hashErr := m.hasher.Hash(ctx, m.file.Password)
	if hashErr != nil {
		return accounts.Owned{}, hashErr
	}
	created := err != nil
	if created {
		owner, err = m.createAccount(ctx, hash)
		if fault.Is(err, fault.Conflict) { // another replica was faster; set this file's password
			created = false
			owner, err = operator.On(m.store).AccountByEmail(ctx, demoEmail)
		}
	}
	if err == nil && !created {
		by := audit.Entry{Actor: audit.BySystem, Action: "account password",
			Fields: []string{"password"}}
		err = users.On(m.store).SetPasswordHash(ctx, owner.OwnerID, hash, by)
	}
	if err != nil {
		return accounts.Owned{}, err
	}
	m.file.AccountID = owner.ID
	return owner, m.writeFile()
}

// createAccount opens the account. An address gets starting credits only once. If the demo account
// was deleted before, a top-up replaces them so that the printed command works.
func (m *demoMaker) createAccount(ctx context.Context, hash string) (accounts.Owned, error) {
	owner, err := accounts.On(m.store).CreateAccount(ctx, accounts.NewAccount{
		Email: demoEmail, Name: demoAccountName, PasswordHash: hash, StartingCredits: m.credits,
	})
	if err == nil && owner.CreditBalance < m.credits {
		_, err = credits.On(m.store).GrantCredits(ctx, credits.Grant{
			AccountID: owner.ID, Amount: m.credits, Note: "Demo credits", Reference: "demo",
		})
	}
	return owner, err
}

// ensureAgent finds or creates the agent and publishes it. The printed command needs a live agent.
func (m *demoMaker) ensureAgent(ctx context.Context, owner accounts.Owned) (agent.Agent, error) {
	agentList, err := agents.On(m.store).Agents(ctx, owner.ID)
	if err != nil {
		return agent.Agent{}, err
	}
	i := slices.IndexFunc(agentList, func(a agent.Agent) bool {
		return a.Name == demoAgentName && a.Model != nil && *a.Model == demoModel && a.Instructions != ""
	})
	var found agent.Agent
	switch {
	case i < 0:
		model := demoModel
		found, err = agents.On(m.store).CreateAgent(ctx, owner.ID, agent.Agent{
			Name:        demoAgentName,
			Description: demoDescription,
			Settings: agent.Settings{
				Instructions: demoInstructions,
				Model:        &model,
				ContextTurns: agent.MaxContextTurns,
			},
		})
	case agentList[i].State == agent.Live: // keep what its owner has published
		return agentList[i], nil
	default:
		found = agentList[i]
	}
	if err == nil {
		found, _, err = versions.On(m.store).PublishAgent(ctx, owner.ID, found.ID, versions.Publication{},
			func(string) bool { return true })
	}
	return found, err
}

// ensureKey keeps the file's key if it works for this agent. Otherwise it creates an export with a
// new key.
func (m *demoMaker) ensureKey(ctx context.Context, assistant agent.Agent) error {
	if key, ok := apikey.Parse(m.file.APIKey); ok && m.file.AgentID == assistant.ID {
		inUse, err := exports.On(m.store).KeyInUse(ctx, key.Hash())
		if inUse || err != nil {
			return err
		}
	}
	key := apikey.Mint()
	m.file.APIKey, m.file.AgentID = key.Reveal(), assistant.ID
	if err := m.writeFile(); err != nil {
		return err
	}
	_, err := exports.On(m.store).CreateExport(ctx, assistant.AccountID, agent.Export{
		AgentID: assistant.ID, Name: demoExportName, RatePerMinute: agent.DefaultRatePerMinute,
	}, key)
	return err
}
