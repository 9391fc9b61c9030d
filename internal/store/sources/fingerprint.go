package sources

// DraftFingerprint is the SQL expression of the fingerprint of the drafts of agents AS a: the SHA-256
// of the settings and of the READY sources, regardless of their order. A version keeps the
// fingerprint of its draft.
const DraftFingerprint = ` sha256(convert_to(a.settings::text || (
	SELECT coalesce(string_agg(E'\n' || jsonb_build_array(s.kind, s.name, encode(s.text_hash, 'hex'))::text,
		'' ORDER BY s.kind, s.name COLLATE "C", s.text_hash), '')
	FROM knowledge_sources s WHERE s.agent_id = a.id AND upper_inf(s.versions)), 'UTF8')) `
