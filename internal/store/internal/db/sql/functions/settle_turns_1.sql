-- settle_turns: settles turns: each stores its reply with its charge and history row, or releases its hold. A row for each turn. It is safe
-- to repeat: a turn that is already settled does not change, and its row reports its outcome.
--
-- A turn that was refused after it began, before its model was called, is withdrawn: it releases its hold, and the turn
-- is deleted, with the conversation that it opened. An open conversation counts as before. Nothing can have joined the
-- turn in its conversation: a turn begins only when the one before is settled.
--
-- A turn that its fallback model answered, or might have, can cost less than it holds: it then gives the difference back, to the account
-- and to the limits that counted it. In every case it keeps the model and the price of the last answer, or of the last failure.
--
-- A turn whose conversation was deleted while it was pending stores no reply. It is charged only if text had left the service, and has
-- failed otherwise.
--
-- An unpaid call is a model call without a charge that the owner or a caller could have provoked. An account has 60, and regains one every
-- 10 s and with each charge: otherwise users could run models without end and without paying. A turn may have made several. begin_turns
-- checks them and settle_turns counts them, so concurrent turns can exceed 60. The excess is a debt: it must be regained before the next
-- message begins. The debt is at most 360 calls, an hour's worth. Models without a price are not counted.
--
-- Locks in the order conversation (of withdrawn turns), turn, counter, account, and the rows of each in the order of
-- their keys. It commits synchronously: a reply is on disk before its caller sees it, and so is its hold.
--
-- Outcomes: settled (now), ANSWERED or FAILED (before), gone (there is no such turn: it never began, it was withdrawn,
-- or a crash lost it before anyone saw its reply), retry (it began during this call: nothing was decided).
CREATE TYPE settled_1 AS (n bigint, outcome text, credits_remaining bigint, error_code text);
-- A turn that is settled now, for the write.
CREATE TYPE settling_1 AS (
    n bigint, turn_id uuid, account_id uuid, agent_id uuid, export_id uuid, held bigint, price bigint, charged boolean, unpaid int,
    number bigint, balance_after bigint, credits_remaining bigint, error_code text
);

CREATE FUNCTION settle_turns_1(
    -- One element for each turn. A turn that is there twice undoes the call.
    turn_ids uuid[],
    states text[],                      -- ANSWERED, FAILED or WITHDRAWN
    error_codes text[],                 -- of those that failed
    unpaid_calls int[] DEFAULT NULL,
    replies text[] DEFAULT NULL,        -- of those that failed: the reply that did not fit, if any
    -- Of those that were answered.
    are_structured boolean[] DEFAULT NULL, finish_reasons text[] DEFAULT NULL, entry_ids uuid[] DEFAULT NULL,
    calls text[] DEFAULT NULL, call_counts int[] DEFAULT NULL, provider_calls text[] DEFAULT NULL, -- the actions that it asks for
    sent boolean[] DEFAULT NULL,        -- has text of the reply left the service?
    -- The fallback model, if it was asked last, and the price of the model that was; null: as the turn began.
    fallback_models text[] DEFAULT NULL, charges bigint[] DEFAULT NULL,
    -- The model's call; null where it is not known.
    tokens_in bigint[] DEFAULT NULL, tokens_out bigint[] DEFAULT NULL, prompt_bytes bigint[] DEFAULT NULL,
    earlier_counts int[] DEFAULT NULL,  -- the number of earlier turns in the prompt
    -- The cached part of tokens_in, and the cost of all model calls at their providers, in nano-dollars.
    tokens_cached bigint[] DEFAULT NULL, provider_costs bigint[] DEFAULT NULL,
    -- Milliseconds, and whether the caller asked for a stream.
    waits int[] DEFAULT NULL, model_times int[] DEFAULT NULL, first_texts int[] DEFAULT NULL, durations int[] DEFAULT NULL,
    streams boolean[] DEFAULT NULL,
    given_knowledge text[] DEFAULT NULL, -- what its model was given of the agent's knowledge
    -- Of those that failed because the provider refused the call.
    provider_statuses int[] DEFAULT NULL, provider_codes text[] DEFAULT NULL, provider_errors text[] DEFAULT NULL,
    patience text DEFAULT '250ms'       -- how long a call for several turns waits for a lock; null: as long as one for a single turn
) RETURNS SETOF settled_1 LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    owners  uuid[];
    pending uuid[];           -- the turns that this call has locked, those of them that cost nothing, and those that cost less than they hold
    free    uuid[];
    cheaper uuid[];
    counted boolean;          -- does one of the last two count against a limit?
    m       record;           -- a turn and its account, before this call
    owner   uuid;             -- the account of the turn before, as this call leaves it
    balance bigint;
    held    bigint;
    entries bigint;
    charged boolean;
    charge  bigint;
    code    text;
    settled settling_1[];
    left_by uuid[];           -- the conversations of withdrawn turns
    changed int;
BEGIN
    IF cardinality(turn_ids) > 1 AND patience IS NOT NULL THEN -- what holds up one turn shall not hold up all
        PERFORM set_config('lock_timeout', patience, true);
    END IF;
    IF 'WITHDRAWN' = ANY (states) THEN
        PERFORM 1 FROM conversations c
        WHERE c.id = ANY (ARRAY(SELECT t.conversation_id FROM turns t
                                WHERE t.id = ANY (turn_ids) AND states[array_position(turn_ids, t.id)] = 'WITHDRAWN'))
        ORDER BY c.id FOR UPDATE;
    END IF;
    SELECT array_agg(t.account_id), array_agg(t.id), array_agg(t.id) FILTER (WHERE t.costs_nothing),
           array_agg(t.id) FILTER (WHERE t.costs_less AND NOT t.costs_nothing),
           bool_or((t.costs_nothing OR t.costs_less) AND num_nonnulls(t.day_counted, t.month_counted, t.user_day_counted) > 0)
    INTO owners, pending, free, cheaper, counted
    FROM (
        SELECT t.*, NOT (s.state = 'ANSWERED' AND (t.deleted_at IS NULL OR s.was_sent IS TRUE)) AS costs_nothing,
               s.charge < t.price AS costs_less
        FROM (SELECT * FROM turns t WHERE t.id = ANY (turn_ids) ORDER BY t.id FOR UPDATE) t
        JOIN unnest(turn_ids, states, sent, charges) s(turn_id, state, was_sent, charge) ON s.turn_id = t.id
        WHERE t.state NOT IN ('ANSWERED', 'FAILED') -- pending, without the index of pending turns
    ) t;
    IF counted THEN -- in the periods in which they were counted
        PERFORM 1 FROM limit_counters c
        WHERE (c.starts, c.counted_for, c.period, c.user_hash) IN (
            SELECT l.starts, l.counted_for, l.period, l.user_hash FROM turns t CROSS JOIN LATERAL counters_of_1(t) l
            WHERE t.id = ANY (free || cheaper))
        ORDER BY c.counted_for, c.period, c.starts, c.user_hash FOR NO KEY UPDATE;
        UPDATE limit_counters c SET used = c.used - x.amount
        FROM (SELECT l.starts, l.counted_for, l.period, l.user_hash,
                     sum(CASE WHEN t.id = ANY (free) THEN l.amount -- the message of an end user stays counted
                              WHEN l.period <> 'USER_DAY' THEN l.amount - charges[array_position(turn_ids, t.id)] ELSE 0 END) AS amount
              FROM turns t CROSS JOIN LATERAL counters_of_1(t) l WHERE t.id = ANY (free || cheaper) GROUP BY 1, 2, 3, 4) x
        WHERE c.starts = x.starts AND c.counted_for = x.counted_for AND c.period = x.period AND c.user_hash = x.user_hash;
    END IF;
    PERFORM 1 FROM accounts o WHERE o.id = ANY (owners) ORDER BY o.id FOR NO KEY UPDATE;

    FOR m IN
        SELECT s.n, t.id, t.account_id, t.agent_id, t.export_id, t.price, t.state, t.error_code, t.credits_remaining,
               o.credit_balance, o.credits_held, o.entry_count
        FROM unnest(turn_ids) WITH ORDINALITY AS s(turn_id, n)
        LEFT JOIN LATERAL (SELECT * FROM turns t WHERE t.id = s.turn_id LIMIT 1) t ON true
        LEFT JOIN LATERAL (SELECT * FROM accounts o WHERE o.id = t.account_id LIMIT 1) o ON true
        ORDER BY o.id, s.n
    LOOP
        IF (m.id = ANY (pending)) IS NOT TRUE THEN
            RETURN NEXT ROW(m.n, CASE m.state WHEN 'PENDING' THEN 'retry' ELSE coalesce(m.state, 'gone') END, m.credits_remaining,
                            m.error_code)::settled_1;
            CONTINUE;
        END IF;
        IF m.account_id IS DISTINCT FROM owner THEN
            owner := m.account_id;
            balance := m.credit_balance;
            held := m.credits_held;
            entries := m.entry_count;
        END IF;
        charged := (m.id = ANY (free)) IS NOT TRUE;
        charge := coalesce(charges[m.n], m.price);
        IF charge > m.price THEN
            RAISE check_violation USING MESSAGE = format('turn %s holds %s credits and cannot cost %s', m.id, m.price, charge);
        END IF;
        held := held - m.price;
        IF charged THEN
            balance := balance - charge;
            entries := entries + 1;
        END IF;
        code := CASE WHEN charged THEN NULL WHEN states[m.n] = 'ANSWERED' THEN 'conversation_deleted' ELSE error_codes[m.n] END;
        settled := settled || ROW(m.n, m.id, m.account_id, m.agent_id, m.export_id, m.price, charge, charged,
                                  coalesce(unpaid_calls[m.n], 0) + (NOT charged AND states[m.n] = 'ANSWERED')::int, entries, balance, balance - held,
                                  code)::settling_1;
        RETURN NEXT ROW(m.n, 'settled', balance - held, code)::settled_1;
    END LOOP;

    IF settled IS NULL THEN
        RETURN;
    END IF;
    UPDATE accounts o SET credits_held = o.credits_held - x.held, credit_balance = o.credit_balance - x.charged,
           entry_count = o.entry_count + x.charges,
           unpaid_tat = least(greatest(o.unpaid_tat, clock_timestamp()) + interval '10 s' * x.unpaid, clock_timestamp() + interval '70 min')
    FROM (SELECT s.account_id, sum(s.held)::bigint AS held, coalesce(sum(s.price) FILTER (WHERE s.charged), 0)::bigint AS charged,
                 count(*) FILTER (WHERE s.charged) AS charges,
                 coalesce(sum(s.unpaid) FILTER (WHERE s.price > 0), 0) - count(*) FILTER (WHERE s.charged AND s.price > 0) AS unpaid
          FROM unnest(settled) s GROUP BY 1) x
    WHERE o.id = x.account_id;
    INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, agent_id, agent_name, export_id, export_name, turn_id)
    SELECT entry_ids[s.n], s.account_id, s.number, 'CHARGE', -s.price, s.balance_after,
           s.agent_id, coalesce((SELECT a.name FROM agents a WHERE a.id = s.agent_id), ''),
           s.export_id, coalesce((SELECT e.name FROM api_exports e WHERE e.id = s.export_id), ''), s.turn_id
    FROM unnest(settled) s WHERE s.charged;
    IF 'WITHDRAWN' = ANY (states) THEN
        WITH withdrawn AS (
            DELETE FROM turns t USING unnest(settled) s WHERE t.id = s.turn_id AND states[s.n] = 'WITHDRAWN'
            RETURNING t.conversation_id
        )
        SELECT array_agg(w.conversation_id) INTO left_by FROM withdrawn w;
        DELETE FROM conversations c WHERE c.id = ANY (left_by) AND c.turn_count = 1;
        UPDATE conversations c SET turn_count = c.turn_count - 1, last_turn_at = coalesce((
            SELECT t.created_at FROM turns t WHERE t.conversation_id = c.id ORDER BY t.number DESC LIMIT 1), c.last_turn_at)
        WHERE c.id = ANY (left_by);
    END IF;
    UPDATE turns t SET state = CASE WHEN s.charged THEN 'ANSWERED' ELSE 'FAILED' END,
           reply = CASE WHEN s.charged AND t.deleted_at IS NULL THEN replies[s.n] END,
           rejected_reply = CASE WHEN NOT s.charged AND t.deleted_at IS NULL THEN replies[s.n] END, structured = are_structured[s.n],
           finish_reason = CASE WHEN s.charged THEN finish_reasons[s.n] END,
           action_calls = CASE WHEN s.charged AND t.deleted_at IS NULL THEN calls[s.n] END,
           action_count = CASE WHEN s.charged AND t.deleted_at IS NULL THEN call_counts[s.n] END,
           action_provider = CASE WHEN s.charged AND t.deleted_at IS NULL THEN provider_calls[s.n] END,
           knowledge = CASE WHEN t.deleted_at IS NULL THEN given_knowledge[s.n] END,
           provider_status = CASE WHEN t.deleted_at IS NULL THEN provider_statuses[s.n] END,
           provider_code = CASE WHEN t.deleted_at IS NULL THEN provider_codes[s.n] END,
           provider_error = CASE WHEN t.deleted_at IS NULL THEN provider_errors[s.n] END,
           error_code = s.error_code, credits_remaining = s.credits_remaining,
           model = coalesce(fallback_models[s.n], t.model), fallback = CASE WHEN fallback_models[s.n] IS NOT NULL THEN true END,
           price = s.price,
           input_tokens = tokens_in[s.n], output_tokens = tokens_out[s.n], input_bytes = prompt_bytes[s.n],
           cached_tokens = tokens_cached[s.n], provider_cost = provider_costs[s.n], earlier_turns = earlier_counts[s.n],
           waited_ms = waits[s.n], model_ms = model_times[s.n], first_text_ms = first_texts[s.n], duration_ms = durations[s.n],
           streamed = streams[s.n], settled_at = clock_timestamp()
    FROM unnest(settled) s WHERE t.id = s.turn_id;
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF changed + coalesce(cardinality(left_by), 0) < cardinality(settled) THEN
        RAISE serialization_failure USING MESSAGE = 'a turn is there twice';
    END IF;
END
$$;
