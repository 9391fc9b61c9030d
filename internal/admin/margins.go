package admin

import (
	"encoding/base64"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"agentchat/internal/credit"
	"agentchat/internal/store/usage"
)

// maxMargins is the largest page of margins.
const maxMargins = 1_000

// Margin is the cost of some usage at the providers, next to its revenue.
type Margin struct {
	// Cost is in nano-dollars; nil if no message has a known cost. Uncosted counts messages without one.
	Cost     *int64
	Uncosted int64
	// Revenue is in nano-dollars; nil if the price of a credit is unknown.
	Revenue *big.Int
	// Part is the share of the revenue that is left after the cost; nil if either is unknown. Uncosted
	// messages make it an upper bound.
	Part *float64
}

// MarginOf returns the margin of a row; value is the price of a credit in nano-dollars, or nil.
func MarginOf(row usage.AccountsUsageRow, value *int64) Margin {
	m := Margin{Cost: row.Cost(), Uncosted: row.Uncosted}
	if value == nil {
		return m
	}
	m.Revenue = credit.Revenue(row.Credits, *value)
	if m.Cost != nil && m.Revenue.Sign() > 0 {
		m.Part = new(credit.Margin(*m.Cost, m.Revenue))
	}
	return m
}

// MoneyOf returns UsageOf with the row's margin.
func MoneyOf(row usage.AccountsUsageRow, by []usage.Dimension, value *int64) map[string]any {
	out, margin := UsageOf(row, by), MarginOf(row, value)
	out["cached_tokens"], out["uncosted"] = row.CachedTokens, margin.Uncosted
	out["cost_nano_usd"], out["revenue_nano_usd"] = margin.Cost, margin.Revenue
	out["margin"] = margin.Part
	return out
}

// margins returns a page of the margins of all accounts in a period.
func (ex *exchange) margins() (any, error) {
	query, err := ex.usageQuery(usage.ByAccount, usage.ByAgent, usage.ByModel, usage.ByDay)
	if err != nil {
		return nil, err
	}
	limit := pageSize
	if text := ex.R.URL.Query().Get("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > maxMargins {
			return nil, invalid("limit", "limit must be from 1 to 1000.")
		}
	}
	if text := ex.R.URL.Query().Get("after"); text != "" {
		if query.After = parseKey(text, query.By); query.After == nil {
			return nil, badAfter()
		}
	}
	query.Limit = limit + 1
	found, err := usage.On(ex.api.Store).AccountsUsage(ex.R.Context(), query)
	if err != nil {
		return nil, err
	}
	rows := []map[string]any{}
	for _, row := range found[:min(len(found), limit)] {
		rows = append(rows, MoneyOf(row, query.By, ex.api.CreditValue))
	}
	var next *string
	if len(found) > limit {
		next = new(keyText(found[limit-1].AccountsKey))
	}
	return map[string]any{"rows": rows, "next": next}, nil
}

// keyText returns a key as the parameter after.
func keyText(key usage.AccountsKey) string {
	text, _ := json.Marshal(key) // a key always has a text
	return base64.RawURLEncoding.EncodeToString(text)
}

// parseKey reads a keyText; nil if it is not one of the dimensions.
func parseKey(text string, by []usage.Dimension) *usage.AccountsKey {
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	var key usage.AccountsKey
	if err != nil || len(by) == 0 || json.Unmarshal(decoded, &key, json.RejectUnknownMembers(true)) != nil {
		return nil
	}
	has := map[usage.Dimension]bool{
		usage.ByAccount: key.Account != nil,
		usage.ByAgent:   key.Agent != nil,
		usage.ByModel:   key.Model != nil && !strings.Contains(*key.Model, "\x00"),
		usage.ByDay:     key.Day != nil && key.Day.Equal(key.Day.Truncate(24*time.Hour)),
	}
	for dimension, present := range has {
		if present != slices.Contains(by, dimension) {
			return nil
		}
	}
	return &key
}
