-- turn_duration: how long a settled turn took, in milliseconds; of one that the reaper has failed, since it began.
CREATE FUNCTION turn_duration_1(ms integer, began timestamptz, settled timestamptz) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(ms, least(extract(epoch FROM settled - began) * 1000, 1e9)::int)
$$;
