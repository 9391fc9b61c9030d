import type { Given } from './entries'

type Call = Given & { origin: string; message: string; sessionId: string; idempotencyKey: string }

/** A message as an API call, for a POSIX shell. It contains the key's variable, never a key. */
export function curlOf({ origin, message, sessionId, variables, userId, idempotencyKey }: Call): string {
  const values = variables && Object.fromEntries(variables.map(({ name, value }) => [name, value]))
  const body = ascii(JSON.stringify({ message, session_id: sessionId, user_id: userId, variables: values }))
  return [
    `curl -i --max-time 100 ${quote(`${origin}/v1/agent/chat`)}`,
    '-H "Authorization: Bearer $AGENTCHAT_API_KEY"',
    `-H 'Content-Type: application/json'`,
    `-H ${quote(`Idempotency-Key: ${idempotencyKey}`)}`,
    `--data-raw ${quote(body)}`,
  ].join(' \\\n  ')
}

/** Within single quotes, only a single quote is special. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Escapes invisible and bidirectional characters as JSON does, so that the text shown is the text copied. */
function ascii(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
