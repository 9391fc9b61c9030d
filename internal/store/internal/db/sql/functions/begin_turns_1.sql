-- begin_turns: begins a turn for each message and holds its price, or says why not: a row for each message, alone or with others. With a
-- fallback model that is the higher price of the two: settle_turns gives the difference back.
--
--   lock    the exports and, for several messages, their conversations, in the order of their ids: what others change about one waits
--           for this call, or is seen by it
--   decide  message by message, in the order of their arrival for each account: the first rule that one breaks is its answer
--   write   what was decided, table by table, in the order export, conversation, turn, counter, account
--
-- Each statement sees what was committed before it began. What others change between two statements is caught by the write: an error
-- undoes the whole call, and the caller sends each message alone. That happens when another replica has just held the credits (23514),
-- when it has just used the same new session or, through another export, the same idempotency key (23505), when the conversation has
-- changed since it was read (40001, for one message alone), and when a lock is not free within 250 ms (55P03).
--
-- A refusal spends the rate and nothing else. Its outcome is a code of the public API, or the reason where several share a code. The other
-- outcomes: begun; admitted (admit_only); replay and failed (replay_of is the turn whose reply or failure is sent again); retry (nothing
-- was decided or spent). For request_in_progress, replay_of is the turn in progress.
CREATE TYPE begun_1 AS (
    n bigint, outcome text,
    key_id uuid, account_id uuid, agent_id uuid, export_id uuid, rate_per_minute int, rate_ahead bigint,
    variable text, replay_of uuid, "limit" jsonb,
    available bigint, price bigint, version int, model text, settings jsonb,
    conversation_id uuid, number bigint, texts text, counts bytea,
    unpaid_wait bigint, other_replica_active boolean,
    asked_by uuid, asked int, given jsonb, chain text, has_knowledge boolean
);
-- A message that begins, for the write.
CREATE TYPE beginning_1 AS (
    n bigint, account_id uuid, agent_id uuid, export_id uuid, conversation_id uuid, number bigint, version int, model text, price bigint,
    user_id text, continues uuid, message_number bigint, day date, month date, user_day date, user_hash bytea, own_limit boolean
);
-- The amount that a message adds to a counter of a limit when it begins.
CREATE TYPE counting_1 AS (
    counted_for uuid, account_id uuid, period text, starts date, user_hash bytea, amount bigint, allowed bigint
);

CREATE FUNCTION begin_turns_1(
    -- One element for each message. The caller is an API key, or an account with one of its agents and a version (null: the draft).
    key_hashes bytea[], account_ids uuid[], agent_ids uuid[], versions bigint[],
    spend_rates boolean[],              -- false when the same request is tried again
    idempotency_keys text[], fingerprints bytea[], user_ids text[], variable_values jsonb[],
    session_ids text[], messages text[], turn_ids uuid[], conversation_ids uuid[], request_ids text[],
    unavailable_models jsonb[],         -- models that would refuse a call of the message's account now, and versions (agent/number) whose
                                        -- replies do not fit; null for none
    given_models text[],                -- for the playground: the model that replaces the draft's or the version's; null for none
    continue_from uuid[],               -- for the playground: the turn up to which a new session reads another conversation; null for none
    -- For all messages.
    from_source text,                   -- API, PLAYGROUND or TEST, which behaves like PLAYGROUND
    admit_only boolean,                 -- stop before the session is looked at
    models text[], prices bigint[],     -- the price list
    hold_for interval,                  -- the time to a turn's deadline
    max_context_bytes bigint, max_instructions int,
    -- For results of actions instead of a message: the turn that asked for the actions, how many of its calls they answer, and the results
    -- as a JSON list; null for a message.
    results_for uuid[] DEFAULT NULL, result_counts int[] DEFAULT NULL, results text[] DEFAULT NULL,
    knowledge_prices bigint[] DEFAULT NULL, -- the price list for versions with knowledge; null: the same
    in_background boolean DEFAULT NULL, -- no caller waits for the replies
    from_replica int DEFAULT NULL       -- the number of the replica that answers the messages; null if it has none
) RETURNS SETOF begun_1 LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    now        CONSTANT timestamptz := statement_timestamp();
    today      CONSTANT date := now AT TIME ZONE 'UTC';
    this_month CONSTANT date := date_trunc('month', today);
    many       CONSTANT boolean := cardinality(turn_ids) > 1;
    setting    text;          -- not read: an assignment is faster than PERFORM
    locked     uuid[];        -- exports, or agents of the playground
    other_replica_active boolean; -- did another replica spend one of these rates while this call waited for it?
    m          record;        -- a message with its caller and its session, before this call
    answer     text;
    owner      uuid;          -- the account of the message before
    free       bigint;        -- the account's available credits, as this call leaves them
    spent      uuid[];        -- exports whose rate this call spends
    tats       timestamptz[]; -- how far each is spent now (GCRA: the theoretical arrival time)
    place      int;
    session    uuid;          -- the conversation whose turns are read, up to which number, and what was read of it
    upto       bigint;
    part       record;
    rounds     boolean;       -- do some of its turns bring results?
    places     bigint;        -- how many earlier turns may still be read, and how many bytes
    room       bigint;
    tat        timestamptz;
    prior      record;
    violation     text[];
    hash       bytea;         -- of the end user
    blocked    boolean;
    own_limit  bigint;
    counters   counting_1[];
    reached    jsonb;
    replay_of  uuid;
    r          begun_1;
    begun      beginning_1[]; -- with their sessions and idempotency keys, which others of this call may not use
    sessions   text[];
    keys       text[];
    counted    counting_1[];
    opens      boolean := false;
    resumes    int := 0;
    changed    int;
BEGIN
    -- The hold need not reach the disk before the model is called: settling commits synchronously and flushes it, too.
    setting := set_config('synchronous_commit', 'off', true);
    IF many THEN -- what holds up one message shall not hold up all
        setting := set_config('lock_timeout', '250ms', true);
    END IF;

    -- Removed, paused and expired exports are not locked: a flood of their callers blocks no other. num_nulls keeps to the primary key.
    IF from_source = 'API' THEN
        SELECT array_agg(e.id), bool_or(e.rate_tat <> before.rate_tat) INTO locked, other_replica_active
        FROM (
            SELECT e.id, e.rate_tat FROM api_exports e
            WHERE e.id = ANY (ARRAY(SELECT k.export_id FROM api_keys k
                                    WHERE k.hash = ANY (key_hashes) AND k.removed_at IS NULL AND (k.stops_at > now) IS NOT FALSE))
              AND num_nulls(e.removed_at, e.paused_at) = 2 AND (e.expires_at > now) IS NOT FALSE
            ORDER BY e.id FOR NO KEY UPDATE
        ) e
        JOIN api_exports before ON before.id = e.id;
    ELSE
        SELECT array_agg(a.id) INTO locked
        FROM (SELECT a.id FROM agents a WHERE a.id = ANY (agent_ids) AND a.account_id = ANY (account_ids) AND num_nulls(a.deleted_at) = 1
              ORDER BY a.id FOR SHARE) a;
    END IF;
    IF many AND NOT admit_only THEN
        PERFORM 1 FROM conversations c
        WHERE c.id = ANY (ARRAY(
            SELECT c.id
            FROM unnest(key_hashes, agent_ids, session_ids) i(key_hash, given_agent, session_id)
            LEFT JOIN LATERAL (SELECT * FROM api_keys k WHERE k.hash = i.key_hash LIMIT 1) k ON true
            LEFT JOIN LATERAL (SELECT * FROM api_exports e WHERE e.id = k.export_id LIMIT 1) e ON true
            JOIN LATERAL ( -- found as below
                SELECT * FROM conversations c
                WHERE (c.agent_id, c.source, c.session_id) >= (coalesce(e.agent_id, i.given_agent), from_source, i.session_id)
                    AND c.deleted_at IS NULL
                ORDER BY c.agent_id, c.source, c.session_id LIMIT 1
            ) c ON c.agent_id = coalesce(e.agent_id, i.given_agent) AND c.source = from_source AND c.session_id = i.session_id
            WHERE coalesce(e.id, i.given_agent) = ANY (locked)
        ))
        ORDER BY c.id FOR NO KEY UPDATE;
    END IF;

    FOR m IN
        SELECT i.*, k.id AS key_id, num_nonnulls(k.removed_at, e.removed_at) > 0 OR k.stops_at <= now OR e.expires_at <= now AS ended,
               e.id AS export_id, e.paused_at, e.rate_per_minute, e.rate_tat, interval '1 minute' / e.rate_per_minute AS step,
               e.require_user_id OR e.user_daily_message_limit IS NOT NULL AS user_required,
               e.daily_credit_limit, e.monthly_credit_limit, e.user_daily_message_limit,
               num_nonnulls(e.daily_credit_limit, e.monthly_credit_limit, e.user_daily_message_limit) > 0 AS limited,
               a.id AS agent_id, a.state AS agent_state,
               o.id AS account_id, o.state AS account_state, o.credit_balance - o.credits_held AS available,
               o.unpaid_tat - now - interval '590 s' AS unpaid_wait, -- below 0 while an unpaid call is left: see settle_turns
               reply, CASE WHEN (reply).id IS NULL THEN i.given_values ELSE (reply).variables END AS given,
               v.number AS version, v.settings, v.has_knowledge, s.instructions, coalesce(i.given_model, s.model) AS model, s.context_turns, s.variables,
               list.prices[array_position(models, coalesce(i.given_model, s.model))] AS price, s.fallback_model,
               CASE WHEN s.fallback_model IS NOT NULL AND i.given_model IS NULL
                    THEN list.prices[array_position(models, s.fallback_model)] END AS fallback_price,
               c.id AS conversation_id, c.user_id AS belongs_to, coalesce(c.turn_count, 0) AS turn_count, c.continues, c.has_results,
               newest.state AS newest
        FROM unnest(key_hashes, account_ids, agent_ids, versions, spend_rates, idempotency_keys, fingerprints, user_ids, variable_values,
                    session_ids, unavailable_models, results_for, result_counts, results, given_models, continue_from) WITH ORDINALITY
             AS i(key_hash, given_account, given_agent, given_version, spends, idempotency_key, fingerprint, user_id, given_values, session_id,
                  unavailable, results_for, result_count, results, given_model, given_turn, n)
        -- One row after the other, each by its key, whatever the planner knows of the tables.
        LEFT JOIN LATERAL (SELECT * FROM api_keys k WHERE k.hash = i.key_hash LIMIT 1) k ON true
        LEFT JOIN LATERAL (SELECT * FROM api_exports e WHERE e.id = k.export_id LIMIT 1) e ON true
        LEFT JOIN LATERAL (SELECT * FROM agents a WHERE a.id = coalesce(e.agent_id, i.given_agent) LIMIT 1) a
            ON a.account_id = coalesce(k.account_id, i.given_account) AND a.deleted_at IS NULL
        LEFT JOIN LATERAL (SELECT * FROM accounts o WHERE o.id = a.account_id LIMIT 1) o ON true
        -- The next session ID in the order of their index, which may be another one. Only that index has the order, and the planner
        -- takes the condition for one that many rows meet, so it uses this index whatever it knows of the table.
        LEFT JOIN LATERAL (
            SELECT * FROM conversations c
            WHERE (c.agent_id, c.source, c.session_id) >= (a.id, from_source, i.session_id) AND c.deleted_at IS NULL
            ORDER BY c.agent_id, c.source, c.session_id LIMIT 1
        ) c ON c.agent_id = a.id AND c.source = from_source AND c.session_id = i.session_id
        -- Only the newest turn of a conversation can be pending.
        LEFT JOIN LATERAL (SELECT t.state FROM turns t WHERE t.conversation_id = c.id ORDER BY t.number DESC LIMIT 1) newest ON true
        -- Results go on with the newest reply, under the version and with the values of the message that began it. A function, because
        -- joins would cost each message without results as much.
        LEFT JOIN LATERAL (SELECT CASE WHEN i.results IS NOT NULL THEN newest_reply_1(c.id) END AS reply OFFSET 0) answered ON true
        LEFT JOIN LATERAL (
            SELECT v.number, v.settings, v.has_knowledge FROM agent_versions v
            WHERE v.agent_id = a.id AND v.number = CASE WHEN (reply).id IS NOT NULL THEN (reply).version
                ELSE coalesce(i.given_version, e.version, CASE from_source WHEN 'API' THEN a.published_version END) END
            UNION ALL -- the draft
            SELECT NULL, a.settings, a.has_knowledge
            WHERE from_source <> 'API' AND CASE WHEN (reply).id IS NOT NULL THEN (reply).version ELSE i.given_version END IS NULL
            LIMIT 1
        ) v ON true
        LEFT JOIN LATERAL jsonb_to_record(v.settings) s(instructions text, model text, fallback_model text, context_turns int,
            variables jsonb) ON true
        LEFT JOIN LATERAL (SELECT CASE WHEN v.has_knowledge THEN coalesce(knowledge_prices, prices) ELSE prices END AS prices) list ON true
        ORDER BY o.id, i.n
    LOOP
        IF m.account_id IS DISTINCT FROM owner THEN
            owner := m.account_id;
            free := m.available;
        END IF;
        IF m.fallback_price > m.price THEN -- the hold covers either model; one that is no longer offered is ignored
            m.price := m.fallback_price;
        END IF;
        place := array_position(spent, m.export_id);
        tat := CASE WHEN place IS NULL THEN m.rate_tat ELSE tats[place] END;
        prior := NULL; violation := NULL; hash := NULL; blocked := NULL; own_limit := NULL; counters := NULL; reached := NULL;
        replay_of := NULL;
        <<rules>>
        BEGIN
            -- Who calls, and how often? The rate allows a burst of one minute's worth.
            answer := CASE
                WHEN from_source = 'API' AND m.ended IS NOT TRUE AND m.account_state = 'SUSPENDED' THEN 'account_suspended'
                WHEN m.ended OR m.account_state IS DISTINCT FROM 'ACTIVE' THEN CASE from_source WHEN 'API' THEN 'unauthorized' ELSE 'not_found' END
                WHEN m.paused_at IS NOT NULL THEN 'export_paused'
                WHEN m.spends AND greatest(tat, now) + m.step - now > m.step * m.rate_per_minute THEN 'rate_limited'
                WHEN (coalesce(m.export_id, m.agent_id) = ANY (locked)) IS NOT TRUE THEN 'retry' END; -- it was resumed, or its key was made, just now
            EXIT rules WHEN answer IS NOT NULL;
            IF m.spends AND m.export_id IS NOT NULL THEN
                tat := greatest(tat, now) + m.step;
                place := coalesce(place, cardinality(spent) + 1, 1);
                spent[place] := m.export_id;
                tats[place] := tat;
            END IF;

            -- Was this request answered before, or is it being answered? A failed turn frees its key, unless it was in the background.
            IF m.idempotency_key IS NOT NULL THEN
                SELECT t.id, t.state, t.fingerprint, c.id IS NULL AS deleted INTO prior
                FROM turns t LEFT JOIN conversations c ON c.id = t.conversation_id AND c.deleted_at IS NULL
                WHERE t.agent_id = m.agent_id AND t.source = from_source AND t.idempotency_key = m.idempotency_key
                    AND (t.state <> 'FAILED' OR t.background AND t.error_code NOT IN ('unavailable', 'model_unavailable'));
                IF FOUND THEN
                    answer := CASE WHEN prior.fingerprint <> m.fingerprint THEN 'idempotency_key_reused'
                                   WHEN prior.deleted THEN 'conversation_deleted'
                                   WHEN prior.state = 'PENDING' THEN 'request_in_progress'
                                   WHEN prior.state = 'FAILED' THEN 'failed'
                                   ELSE 'replay' END;
                    replay_of := prior.id;
                    EXIT rules;
                END IF;
                place := array_position(keys, m.agent_id || m.idempotency_key);
                IF place IS NOT NULL THEN
                    answer := CASE WHEN fingerprints[(begun[place]).n] <> m.fingerprint THEN 'idempotency_key_reused' ELSE 'request_in_progress' END;
                    replay_of := turn_ids[(begun[place]).n];
                    EXIT rules;
                END IF;
            END IF;

            -- Who is talking? Like the exports' limits, this is not for the playground.
            IF m.user_id IS NOT NULL AND from_source = 'API' THEN
                hash := end_user_hash_1(m.user_id);
                SELECT u.blocked_at IS NOT NULL, u.daily_message_limit INTO blocked, own_limit
                FROM end_users u WHERE u.account_id = m.account_id AND u.user_hash = hash;
                IF blocked THEN
                    answer := 'user_blocked';
                    EXIT rules;
                END IF;
            END IF;

            -- What answers, and does the message have what it asks for?
            -- Results bring no values: they have those of their message, if they go on with one.
            IF (m.results IS NULL OR (m.reply).id IS NOT NULL) AND (m.variables <> '[]' OR m.given IS NOT NULL) THEN
                violation := variables_violation_1(m.instructions, m.variables, m.given, max_instructions);
            END IF;
            answer := CASE
                WHEN from_source = 'API' AND m.agent_state = 'OFFLINE' THEN 'offline'
                WHEN from_source = 'API' AND m.version IS NULL THEN 'draft'
                WHEN m.version IS NULL AND m.given_version IS NOT NULL THEN 'no_version'
                WHEN m.model IS NULL THEN 'no_model'
                WHEN m.price IS NULL THEN 'model_withdrawn'
                WHEN m.user_required AND m.user_id IS NULL THEN 'user_missing'
                WHEN violation IS NOT NULL THEN violation[1]
                WHEN admit_only THEN 'admitted' END;
            EXIT rules WHEN answer IS NOT NULL;

            -- Does a session of the playground continue another conversation? Its first message decides. It belongs to
            -- the end user of the other conversation, and both are erased together.
            IF m.given_turn IS NOT NULL AND m.conversation_id IS NULL THEN
                SELECT t.id, c.user_id INTO m.continues, m.belongs_to
                FROM turns t JOIN conversations c ON c.id = t.conversation_id AND c.deleted_at IS NULL
                WHERE t.id = m.given_turn AND t.agent_id = m.agent_id AND t.state <> 'PENDING';
            END IF;

            -- Is its session free, and do the limits allow it? If several limits are reached, the refusal names the one that ends last:
            -- on the last day of a month, the month's.
            -- An end user's own limit may be used up through another export after this call has counted messages towards it. The write
            -- then fails, or the others have given theirs back: both together were never used, so the refusal does not add them up.
            IF m.limited OR own_limit IS NOT NULL THEN
                SELECT array_agg(ROW(l.counted_for, m.account_id, l.period, l.starts, l.user_hash, l.amount, l.allowed)::counting_1),
                       (array_agg(jsonb_build_object('period', l.period, 'allowed', l.allowed, 'used', least(l.used, greatest(l.before, l.allowed)),
                                                     'ends', l.ends AT TIME ZONE 'UTC')
                                  ORDER BY l.ends DESC, l.starts) FILTER (WHERE l.used + l.amount > l.allowed))[1]
                INTO counters, reached
                FROM (
                    SELECT l.*, coalesce(c.used, 0) AS before, coalesce(c.used, 0) + coalesce((SELECT sum(b.amount)::bigint FROM unnest(counted) b
                        WHERE (b.counted_for, b.period, b.user_hash) = (l.counted_for, l.period, l.user_hash)), 0) AS used
                    FROM (VALUES (m.export_id, 'DAY', today, ''::bytea, m.price, m.daily_credit_limit, today + interval '1 day'),
                                 (m.export_id, 'MONTH', this_month, '', m.price, m.monthly_credit_limit, this_month + interval '1 month'),
                                 (CASE WHEN own_limit IS NULL THEN m.export_id ELSE m.account_id END, 'USER_DAY', today, hash, 1,
                                  CASE WHEN m.results IS NULL THEN coalesce(own_limit, m.user_daily_message_limit) END, today + interval '1 day')
                    ) l(counted_for, period, starts, user_hash, amount, allowed, ends)
                    LEFT JOIN limit_counters c
                        ON c.starts = l.starts AND c.counted_for = l.counted_for AND c.period = l.period AND c.user_hash = l.user_hash
                    WHERE l.allowed IS NOT NULL
                ) l;
            END IF;
            answer := CASE
                WHEN m.given_turn IS NOT NULL AND m.continues IS DISTINCT FROM m.given_turn
                    THEN CASE WHEN m.conversation_id IS NULL THEN 'no_turn' ELSE 'other_turn' END
                WHEN m.conversation_id IS NOT NULL AND m.belongs_to IS DISTINCT FROM m.user_id
                    AND (m.continues IS NULL OR m.user_id IS NOT NULL) THEN 'other_user'
                WHEN m.conversation_id IS NULL AND m.belongs_to <> m.user_id THEN 'other_user'
                WHEN m.newest = 'PENDING' OR m.agent_id || m.session_id = ANY (sessions) THEN 'session_busy'
                WHEN m.results = (m.reply).results AND m.results_for = (m.reply).results_for THEN 'replay' -- its answer was lost on the way
                WHEN m.results IS NOT NULL AND (m.results_for = (m.reply).id AND m.result_count = (m.reply).action_count) IS NOT TRUE
                    THEN 'action_mismatch'
                WHEN free < m.price THEN 'insufficient_credits'
                WHEN reached IS NOT NULL THEN 'limit_reached'
                WHEN m.price > 0 AND m.unpaid_wait > interval '0' THEN 'unpaid_calls_spent'
                WHEN m.unavailable @> to_jsonb(m.model) AND (m.fallback_price IS NULL OR m.unavailable @> to_jsonb(m.fallback_model))
                    OR m.unavailable @> to_jsonb(m.agent_id || '/' || m.version) THEN 'model_unavailable'
                ELSE 'begun' END;
        END rules;

        r := NULL;
        r.n := m.n;
        r.outcome := answer;
        IF answer IN ('unauthorized', 'not_found', 'retry') THEN -- nothing is said about the caller
            RETURN NEXT r;
            CONTINUE;
        END IF;
        r.key_id := m.key_id;
        r.account_id := m.account_id;
        r.agent_id := m.agent_id;
        r.export_id := m.export_id;
        r.rate_per_minute := coalesce(m.rate_per_minute, 0);
        r.rate_ahead := extract(epoch FROM greatest(tat - now, interval '0'))::float8 * 1e9;
        r.available := free;
        r.price := m.price;
        r.version := m.version;
        r.model := m.model;
        r.other_replica_active := coalesce(other_replica_active, false);
        CASE answer
            WHEN 'replay', 'failed', 'request_in_progress' THEN
                r.replay_of := coalesce(replay_of, (m.reply).id);
            WHEN violation[1] THEN
                r.variable := violation[2];
            WHEN 'limit_reached' THEN
                r."limit" := reached;
            WHEN 'unpaid_calls_spent' THEN
                r.unpaid_wait := extract(epoch FROM m.unpaid_wait)::float8 * 1e9;
            WHEN 'action_mismatch' THEN
                r.asked_by := (m.reply).id;
                r.asked := (m.reply).action_count;
            ELSE
                NULL;
        END CASE;
        IF answer = 'begun' THEN
            free := free - m.price;
            r.settings := m.settings;
            r.has_knowledge := m.has_knowledge;
            r.conversation_id := coalesce(m.conversation_id, conversation_ids[m.n]);
            r.number := m.turn_count + 1;
            IF m.results IS NOT NULL THEN
                r.given := m.given;
            END IF;
            begun := begun || ROW(m.n, m.account_id, m.agent_id, m.export_id, r.conversation_id, r.number, m.version, m.model, m.price,
                coalesce(m.belongs_to, m.user_id), m.continues, (m.reply).message_number,
                CASE WHEN m.daily_credit_limit IS NOT NULL THEN today END, CASE WHEN m.monthly_credit_limit IS NOT NULL THEN this_month END,
                CASE WHEN m.results IS NULL AND coalesce(own_limit, m.user_daily_message_limit) IS NOT NULL THEN today END, hash,
                CASE WHEN m.results IS NULL AND own_limit IS NOT NULL THEN true END)::beginning_1;
            counted := counted || counters;
            IF many THEN
                sessions := sessions || (m.agent_id || m.session_id);
                keys := keys || (m.agent_id || m.idempotency_key);
            END IF;
            IF m.turn_count = 0 THEN
                opens := true;
            ELSE
                resumes := resumes + 1;
            END IF;
            IF m.results IS NOT NULL THEN
                SELECT json_agg(json_build_object('message', t.message, 'reply', t.reply, 'calls', t.action_calls, 'provider', t.action_provider,
                                                  'results', t.action_results, 'model', t.model,
                                                  'knowledge', CASE WHEN t.number = (m.reply).message_number THEN t.knowledge END) ORDER BY t.number)
                INTO r.chain FROM turns t
                WHERE t.conversation_id = m.conversation_id AND t.number >= (m.reply).message_number AND t.state = 'ANSWERED';
            END IF;
            IF m.turn_count > 0 OR m.continues IS NOT NULL THEN
                -- The earlier turns, newest first: all texts as one string, and their lengths and token counts (-1: unknown) as another,
                -- because arrays are encoded and parsed character by character. Another model counts tokens differently. What a session
                -- of the playground continues comes after its own turns, and what that one continues itself; none of a deleted one.
                -- A message and the results that followed it, in up to 8 rounds, are one of the version's context turns.
                session := m.conversation_id; upto := coalesce((m.reply).message_number - 1, m.turn_count); rounds := m.has_results;
                places := m.context_turns; room := max_context_bytes;
                FOR hop IN 0 .. m.context_turns LOOP
                    SELECT string_agg(y.message || y.reply, '') FILTER (WHERE y.bytes <= room) AS texts,
                           string_agg(int4send(octet_length(y.message)) || int4send(octet_length(y.reply)) || int4send(y.kind)
                               || int8send(coalesce(y.input_tokens, -1)) || int8send(coalesce(y.input_bytes, -1))
                               || int8send(coalesce(y.output_tokens, -1)), '') FILTER (WHERE y.bytes <= room) AS counts,
                           count(*) FILTER (WHERE y.kind & 1 = 0) AS turns, coalesce(max(y.bytes), 0) AS bytes
                    INTO part
                    FROM (
                        SELECT t.message, CASE WHEN t.finish_reason = 'content_blocked' THEN '' ELSE t.reply END AS reply, t.input_bytes,
                               CASE WHEN t.model = m.model THEN t.input_tokens END AS input_tokens,
                               CASE WHEN t.model = m.model THEN t.output_tokens END AS output_tokens,
                               (t.message_number IS NOT NULL)::int + 2 * (t.action_count IS NOT NULL)::int AS kind,
                               sum(octet_length(t.message) + octet_length(t.reply)) OVER (ORDER BY t.number DESC ROWS UNBOUNDED PRECEDING) AS bytes
                        FROM turns t
                        -- What the model's safety rules cut off is charged but not remembered.
                        WHERE t.conversation_id = session AND t.number <= upto AND t.state = 'ANSWERED'
                            AND (t.finish_reason IS DISTINCT FROM 'content_blocked' OR t.message_number IS NOT NULL)
                        ORDER BY t.number DESC LIMIT places * CASE WHEN rounds THEN 9 ELSE 1 END
                    ) y;
                    r.texts := concat(r.texts, part.texts);
                    r.counts := coalesce(r.counts, '') || coalesce(part.counts, '');
                    EXIT WHEN m.continues IS NULL OR part.turns >= places;
                    places := places - part.turns; room := room - part.bytes;
                    SELECT c.id, t.number, c.continues, c.has_results INTO session, upto, m.continues, rounds
                    FROM turns t JOIN conversations c ON c.id = t.conversation_id AND c.deleted_at IS NULL WHERE t.id = m.continues;
                END LOOP;
            END IF;
        END IF;
        RETURN NEXT r;
    END LOOP;

    IF spent IS NOT NULL THEN
        UPDATE api_exports e SET rate_tat = s.tat FROM unnest(spent, tats) s(id, tat) WHERE e.id = s.id;
    END IF;
    IF begun IS NULL THEN
        RETURN;
    END IF;
    IF opens THEN
        INSERT INTO conversations (id, account_id, agent_id, source, session_id, user_id, continues, turn_count)
        SELECT b.conversation_id, b.account_id, b.agent_id, from_source, session_ids[b.n], b.user_id, b.continues, 1
        FROM unnest(begun) b WHERE b.number = 1 ORDER BY b.agent_id, session_ids[b.n];
    END IF;
    IF resumes > 0 THEN
        -- Only if no turn began since the history was read, which would lack it.
        UPDATE conversations c SET turn_count = b.number, last_turn_at = clock_timestamp(),
               has_results = c.has_results OR b.message_number IS NOT NULL
        FROM unnest(begun) b WHERE c.id = b.conversation_id AND c.turn_count = b.number - 1 AND num_nulls(c.deleted_at) = 1;
        GET DIAGNOSTICS changed = ROW_COUNT;
        IF changed < resumes THEN
            RAISE serialization_failure USING MESSAGE = 'a conversation has changed since it was read';
        END IF;
    END IF;
    INSERT INTO turns (id, account_id, agent_id, conversation_id, export_id, source, number, state, message, version, model, price, request_id,
                       idempotency_key, fingerprint, deadline, background, variables, day_counted, month_counted, user_day_counted, user_hash,
                       own_limit, action_results, results_for, message_number, replica)
    SELECT turn_ids[b.n], b.account_id, b.agent_id, b.conversation_id, b.export_id, from_source, b.number, 'PENDING', messages[b.n], b.version,
           b.model, b.price, request_ids[b.n], idempotency_keys[b.n], CASE WHEN idempotency_keys[b.n] IS NOT NULL THEN fingerprints[b.n] END,
           clock_timestamp() + hold_for, in_background, variable_values[b.n], b.day, b.month, b.user_day,
           CASE WHEN b.user_day IS NOT NULL THEN b.user_hash END, b.own_limit,
           results[b.n], results_for[b.n], b.message_number, from_replica
    FROM unnest(begun) b ORDER BY b.agent_id, idempotency_keys[b.n];
    IF counted IS NOT NULL THEN
        INSERT INTO limit_counters AS c (counted_for, account_id, period, starts, user_hash, used, allowed)
        SELECT l.counted_for, l.account_id, l.period, l.starts, l.user_hash, sum(l.amount), max(l.allowed)
        FROM unnest(counted) l GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 3, 4, 5
        ON CONFLICT (starts, counted_for, period, user_hash) DO UPDATE SET used = c.used + excluded.used, allowed = excluded.allowed;
    END IF;
    IF many THEN
        PERFORM 1 FROM accounts o WHERE o.id = ANY (ARRAY(SELECT b.account_id FROM unnest(begun) b)) ORDER BY o.id FOR NO KEY UPDATE;
    END IF;
    -- No condition on what there is, which would leave a turn without its hold: the CHECK undoes the call.
    UPDATE accounts o SET credits_held = o.credits_held + h.price
    FROM (SELECT b.account_id, sum(b.price)::bigint AS price FROM unnest(begun) b GROUP BY 1) h WHERE o.id = h.account_id;
END
$$;
