-- usage_spans: the spans of usage_rollups that a moment is in.
CREATE FUNCTION usage_spans_1(at timestamptz) RETURNS TABLE (minutes smallint, start timestamptz) LANGUAGE sql STABLE AS $$
    SELECT m::smallint, date_bin(m * interval '1 minute', at, 'epoch') FROM unnest('{15, 60, 360, 1440}'::int[]) m
$$;
