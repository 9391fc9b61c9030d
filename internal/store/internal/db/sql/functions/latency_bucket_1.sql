-- latency_bucket: the bucket of a time in milliseconds: 0 below 1 ms, then six to a factor of ten (each 1.47 times the one before), the last from 681 s on.
CREATE FUNCTION latency_bucket_1(ms integer) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN ms < 1 THEN 0 ELSE least(1 + floor(6 * log(ms::float8)), 36) END::smallint
$$;
