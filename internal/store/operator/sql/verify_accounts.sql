-- verify_accounts: balances, holds and histories, account by account. Sums for an account that has no row are violations too.
WITH history AS (
    SELECT account_id, sum(amount) AS total, count(*) AS entries,
           min(number) FILTER (WHERE number <> place) AS misnumbered,
           min(number) FILTER (WHERE balance_after <> running OR balance_after < 0) AS off
    FROM (
        SELECT account_id, number, amount, balance_after, row_number() OVER w AS place, sum(amount) OVER w AS running
        FROM credit_entries WINDOW w AS (PARTITION BY account_id ORDER BY number ROWS UNBOUNDED PRECEDING)
    ) e
    GROUP BY account_id
), pending AS (
    SELECT account_id, sum(price) AS held, count(*) AS turns FROM turns WHERE state = 'PENDING' GROUP BY account_id
)
SELECT v.kind, coalesce(a.id, h.account_id, p.account_id), v.figures
FROM accounts a
FULL JOIN history h ON h.account_id = a.id
FULL JOIN pending p ON p.account_id = coalesce(a.id, h.account_id)
CROSS JOIN LATERAL (VALUES
    ('balance_is_not_the_history', a.credit_balance IS DISTINCT FROM coalesce(h.total, 0),
     format('balance %s, sum of %s entries %s', coalesce(a.credit_balance::text, 'none'), coalesce(h.entries, 0), coalesce(h.total, 0))),
    ('held_is_not_the_pending_turns', a.credits_held IS DISTINCT FROM coalesce(p.held, 0),
     format('held %s, price of %s pending turns %s', coalesce(a.credits_held::text, 'none'), coalesce(p.turns, 0), coalesce(p.held, 0))),
    ('overdrawn', a.credits_held < 0 OR a.credit_balance < greatest(a.credits_held, 0),
     format('balance %s, held %s', a.credit_balance, a.credits_held)),
    ('entry_numbers', h.misnumbered IS NOT NULL OR a.entry_count <> coalesce(h.entries, 0),
     format('%s entries, counted %s, first wrong number %s', coalesce(h.entries, 0), a.entry_count,
            coalesce(h.misnumbered::text, 'none'))),
    ('running_balance', h.off IS NOT NULL, format('first wrong balance_after at entry number %s', h.off))
) v(kind, broken, figures)
WHERE v.broken
