-- variables_violation: the first of a message's values that the version does not declare, or that it requires and is not given; otherwise,
-- whether the values make the instructions too long. Null if all fits; else the outcome and the variable. A name in braces overlaps no
-- other, so that the lengths add up.
CREATE FUNCTION variables_violation_1(instructions text, declared jsonb, given jsonb, longest int) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT ARRAY['variable_unknown', g.name] FROM jsonb_object_keys(given) g(name)
        WHERE NOT declared @> jsonb_build_array(jsonb_build_object('name', g.name))
        UNION ALL
        SELECT ARRAY['variable_missing', d.name] FROM jsonb_to_recordset(declared) d(name text, required bool)
        WHERE d.required AND given -> d.name IS NULL
        UNION ALL
        SELECT ARRAY['instructions_too_long', NULL] FROM (
            SELECT sum((length(instructions) - length(replace(instructions, '{{' || d.name || '}}', ''))) / (length(d.name) + 4)
                       * (length(coalesce(given ->> d.name, d."default", '')) - length(d.name) - 4)) AS more
            FROM jsonb_to_recordset(declared) d(name text, "default" text)
        ) filled
        WHERE length(instructions) + filled.more > longest
        LIMIT 1);
END
$$;
