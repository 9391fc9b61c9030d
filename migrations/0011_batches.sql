-- +goose Up

-- What batches change in rows that other replicas change at the same time: the rates of exports and the credits of accounts. A statement
-- that has waited for a row looks at it again with all of its plan, which took longer than the rest of a batch. Here the plans are small,
-- and each statement sees what was committed before it. Rows are locked in the order of their ids first: an UPDATE alone would meet them
-- in the order of its plan.

-- Spends the rates of exports, for all messages of an export or for none. An export has no row in the result if its rate does not suffice,
-- if it does not answer, if it needs an end user and some messages have none, or if it has limits.
-- +goose StatementBegin
CREATE FUNCTION spend_rates_1(export_ids uuid[], messages bigint[], anonymous boolean[])
RETURNS TABLE (export_id uuid, tat timestamptz) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM api_exports e WHERE e.id = ANY (export_ids) ORDER BY e.id FOR NO KEY UPDATE;
    RETURN QUERY
        UPDATE api_exports e
        SET rate_tat = greatest(e.rate_tat, statement_timestamp()) + interval '1 minute' / e.rate_per_minute * x.messages
        FROM unnest(export_ids, messages, anonymous) x(id, messages, anonymous)
        WHERE e.id = x.id AND num_nulls(e.removed_at, e.paused_at) = 2 -- keeps to the primary key
          AND NOT (e.require_user_id AND x.anonymous)
          AND num_nonnulls(e.daily_credit_limit, e.monthly_credit_limit, e.user_daily_message_limit) = 0
          AND greatest(e.rate_tat, statement_timestamp()) + interval '1 minute' / e.rate_per_minute * x.messages - statement_timestamp()
              <= interval '1 minute' / e.rate_per_minute * e.rate_per_minute
        RETURNING e.id, e.rate_tat;
END
$$;
-- +goose StatementEnd

-- Holds credits of accounts. No condition on what they have: the CHECK (23514) undoes the whole statement that calls this.
-- +goose StatementBegin
CREATE FUNCTION hold_credits_1(account_ids uuid[], prices bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM accounts a WHERE a.id = ANY (account_ids) ORDER BY a.id FOR NO KEY UPDATE;
    UPDATE accounts a SET credits_held = a.credits_held + x.price
    FROM unnest(account_ids, prices) x(id, price) WHERE a.id = x.id;
END
$$;
-- +goose StatementEnd

-- Charges accounts for so many turns each, whose credits were held.
-- +goose StatementBegin
CREATE FUNCTION charge_credits_1(account_ids uuid[], prices bigint[], turns bigint[])
RETURNS TABLE (account_id uuid, balance bigint, available bigint, entries bigint) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM accounts a WHERE a.id = ANY (account_ids) ORDER BY a.id FOR NO KEY UPDATE;
    RETURN QUERY
        UPDATE accounts a SET credits_held = a.credits_held - x.price, credit_balance = a.credit_balance - x.price,
               entry_count = a.entry_count + x.turns
        FROM unnest(account_ids, prices, turns) x(id, price, turns) WHERE a.id = x.id
        RETURNING a.id, a.credit_balance, a.credit_balance - a.credits_held, a.entry_count;
END
$$;
-- +goose StatementEnd
