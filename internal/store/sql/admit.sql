-- admit: the gate alone, for requests whose body is refused, and for those that have to wait for their session.
-- The column _config is not read.
SELECT g.outcome, set_config('synchronous_commit', 'off', true) AS _config, admission.*
FROM gate g CROSS JOIN admission
