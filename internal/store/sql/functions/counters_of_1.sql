-- counters_of: the counters of limits in which a turn is counted, and how much it counts in each.
CREATE FUNCTION counters_of_1(t turns) RETURNS TABLE (period text, starts date, user_hash bytea, amount bigint) LANGUAGE sql IMMUTABLE AS $$
    SELECT l.period, l.starts, l.user_hash, l.amount
    FROM (VALUES ('DAY', t.day_counted, ''::bytea, t.price), ('MONTH', t.month_counted, '', t.price), ('USER_DAY', t.user_day_counted, t.user_hash, 1)
    ) l(period, starts, user_hash, amount)
    WHERE l.starts IS NOT NULL
$$;
