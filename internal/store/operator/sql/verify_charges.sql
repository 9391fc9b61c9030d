-- verify_charges: answered turns against charges, both ways. The charge of a deleted turn stays: its conversation was deleted,
-- or the numbers of the conversation's turns have a gap.
SELECT 'answered_without_its_charge', t.account_id,
       format('turn %s: price %s, %s charges of %s in all', t.id, t.price, count(e.id), coalesce(sum(e.amount), 0))
FROM turns t LEFT JOIN credit_entries e ON e.turn_id = t.id AND e.kind = 'CHARGE'
WHERE t.state = 'ANSWERED'
GROUP BY t.id, t.account_id, t.price
HAVING count(e.id) <> 1 OR bool_or(e.amount <> -t.price OR e.account_id <> t.account_id)
UNION ALL
SELECT 'charge_without_answer', e.account_id,
       format('entry number %s of %s: turn %s, %s', e.number, e.amount, coalesce(e.turn_id::text, 'none'), coalesce(t.state, 'unknown'))
FROM credit_entries e LEFT JOIN turns t ON t.id = e.turn_id
WHERE e.kind = 'CHARGE' AND (e.turn_id IS NULL OR t.state <> 'ANSWERED')
