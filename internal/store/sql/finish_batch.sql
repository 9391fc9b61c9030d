-- finish_batch: finish.sql for several answered turns at once: one statement, one commit. A turn that has no row in the result is as it
-- was: it is not pending any more, or its conversation was deleted meanwhile. finish.sql then settles it, or finds out why not.
-- An array has an element for each turn, and no turn is there twice.
-- $1 turn ids uuid[]  $2 replies text[]  $3 finish reasons text[]  $4 input tokens bigint[]  $5 output tokens bigint[]
-- $6 entry ids uuid[]  $7 bytes of the whole prompt bigint[]
-- $8 to $11 milliseconds waited, of the model, to the first text, in all int[]  $12 streamed? bool[]
-- Locks in the order turn, account, and the rows of both in the order of their ids.
-- As in begin_batch.sql, a batch that meets a lock soon gives up.
WITH patience AS MATERIALIZED (
    SELECT set_config('lock_timeout', '250ms', true)
), t AS MATERIALIZED (
    SELECT i.*, t.account_id, t.agent_id, t.export_id, t.conversation_id, t.price
    FROM patience, unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::uuid[], $7::bigint[], $8::int[], $9::int[],
                          $10::int[], $11::int[], $12::bool[]) WITH ORDINALITY
         AS i(id, reply, finish_reason, input_tokens, output_tokens, entry_id, input_bytes, waited_ms, model_ms, first_text_ms, duration_ms,
              streamed, n)
    -- Pending, written as in finish.sql.
    JOIN turns t ON t.id = i.id AND t.state NOT IN ('ANSWERED', 'FAILED') AND t.deleted_at IS NULL
    ORDER BY t.id FOR UPDATE OF t
), a AS MATERIALIZED (
    SELECT c.* FROM (
        SELECT array_agg(y.account_id) AS accounts, array_agg(y.price) AS prices, array_agg(y.turns) AS turns
        FROM (SELECT t.account_id, sum(t.price)::bigint AS price, count(*) AS turns FROM t GROUP BY 1) y
    ) x CROSS JOIN LATERAL charge_credits_1(x.accounts, x.prices, x.turns) c
), b AS MATERIALIZED (
    -- The history row of each turn has the balance after it: counted back from the balance after all of them. A charge does not change
    -- what is available, because its hold ends with it.
    SELECT t.*, a.available, a.entries - count(*) OVER later AS number,
           a.balance + coalesce(sum(t.price) OVER later, 0) AS balance_after
    FROM t JOIN a USING (account_id)
    WINDOW later AS (PARTITION BY t.account_id ORDER BY t.n DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
), e AS (
    INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, agent_id, agent_name, export_id,
                                export_name, turn_id)
    SELECT b.entry_id, b.account_id, b.number, 'CHARGE', -b.price, b.balance_after, b.agent_id, coalesce(g.name, ''),
           b.export_id, coalesce(x.name, ''), b.id
    FROM b LEFT JOIN agents g ON g.id = b.agent_id LEFT JOIN api_exports x ON x.id = b.export_id
    ORDER BY b.account_id, b.number
), s AS (
    UPDATE turns u SET state = 'ANSWERED', reply = b.reply, finish_reason = b.finish_reason,
           input_tokens = b.input_tokens, output_tokens = b.output_tokens, input_bytes = b.input_bytes, credits_remaining = b.available,
           waited_ms = b.waited_ms, model_ms = b.model_ms, first_text_ms = b.first_text_ms, duration_ms = b.duration_ms,
           streamed = b.streamed, settled_at = clock_timestamp()
    FROM b WHERE u.id = b.id
)
SELECT b.n, 'settled' AS outcome, b.available AS credits_remaining,
       (extract(epoch FROM c.contended_until - clock_timestamp())::float8 * 1e9)::bigint AS contended
FROM b LEFT JOIN conversations c ON c.id = b.conversation_id
