-- counters_of: the counters of limits in which a turn is counted, and how much it counts in each.
CREATE FUNCTION counters_of_1(t turns) RETURNS TABLE (counted_for uuid, period text, starts date, user_hash bytea, amount bigint)
LANGUAGE sql IMMUTABLE AS $$
    SELECT l.counted_for, l.period, l.starts, l.user_hash, l.amount
    FROM (VALUES (t.export_id, 'DAY', t.day_counted, ''::bytea, t.price), (t.export_id, 'MONTH', t.month_counted, '', t.price),
                 (CASE WHEN t.own_limit THEN t.account_id ELSE t.export_id END, 'USER_DAY', t.user_day_counted, t.user_hash, 1)
    ) l(counted_for, period, starts, user_hash, amount)
    WHERE l.starts IS NOT NULL
$$;
