-- turn_duration: how long a settled turn took, in milliseconds; one from before that was measured, since it began.
CREATE FUNCTION turn_duration_1(ms integer, began timestamptz, settled timestamptz) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(ms, least(extract(epoch FROM settled - began) * 1000, 1e9)::int)
$$;
