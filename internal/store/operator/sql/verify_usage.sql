-- verify_usage: the usage of an account, in spans of each length, against the charges of its ledger that were rolled up.
SELECT 'usage_is_not_the_ledger', account_id,
       format('in spans of %s minutes %s messages for %s credits, in the ledger %s for %s', minutes, coalesce(u.messages, 0),
              coalesce(u.credits, 0), coalesce(e.messages, 0), coalesce(e.credits, 0))
FROM (SELECT account_id, minutes, sum(messages) AS messages, sum(credits) AS credits FROM usage_rollups GROUP BY 1, 2) u
FULL JOIN (
    SELECT e.account_id, s.minutes, count(*) AS messages, -sum(e.amount) AS credits
    FROM credit_entries e JOIN usage_cursors c ON c.account_id = e.account_id AND e.number <= c.last_entry
    CROSS JOIN usage_spans_1(now()) s
    WHERE e.kind = 'CHARGE' GROUP BY 1, 2
) e USING (account_id, minutes)
WHERE coalesce(u.messages, 0) <> coalesce(e.messages, 0) OR coalesce(u.credits, 0) <> coalesce(e.credits, 0)
