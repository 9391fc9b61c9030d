import curl from '../programs/curl.txt?raw'
import go from '../programs/go.txt?raw'
import javascript from '../programs/javascript.txt?raw'
import php from '../programs/php.txt?raw'
import python from '../programs/python.txt?raw'
import { streamingProgram } from './streaming'

/** The environment variable that the snippets read the key from. */
export const keyVariable = 'AGENTCHAT_API_KEY'

/** The languages of the snippets. Their names are not translated. */
export const languages = [
  { id: 'curl', label: 'cURL', grammar: 'bash' },
  { id: 'python', label: 'Python', grammar: 'python' },
  { id: 'javascript', label: 'JavaScript', grammar: 'javascript' },
  { id: 'go', label: 'Go', grammar: 'go' },
  { id: 'php', label: 'PHP', grammar: 'php' },
] as const

export type Language = (typeof languages)[number]['id']
export type Grammar = (typeof languages)[number]['grammar'] | 'json' | 'yaml'

const templates: Record<Language, string> = { curl, python, javascript, go, php }

/** The end user of the programs. */
export const sampleUser = 'user-1'

/** The endpoint for messages, on this page's own origin. */
export const endpoint = (origin = window.location.origin) => `${origin}/v1/agent/chat`

/** The properties of an agent that the samples depend on. */
export type Called = {
  /** The variables that its version declares. */
  variables: { name: string; required: boolean }[]
  /** The actions that its version declares. */
  actions?: { name: string }[]
  /** The JSON Schema of its replies, if they have one. */
  replySchema?: string | null
  /** Whether messages need a user_id. */
  withUserId: boolean
}

type Parts = { PARAMETER?: string; FIELD: string; ARGUMENT?: string }

/** What a program adds to send variables: in the function, in the body, and in the call. */
const withValues: Record<Language, (names: string[]) => Parts> = {
  curl: (names) => ({ FIELD: `, "variables": {${list(names, (name) => `"${name}": "example"`)}}` }),
  python: (names) => ({
    PARAMETER: ', variables',
    FIELD: ', "variables": variables',
    ARGUMENT: `, {${list(names, (name) => `"${name}": "example"`)}}`,
  }),
  javascript: (names) => ({
    PARAMETER: ', variables',
    FIELD: ', variables',
    ARGUMENT: `, { ${list(names, (name) => `${name}: 'example'`)} }`,
  }),
  go: (names) => ({
    PARAMETER: ', variables map[string]string',
    FIELD: ', "variables": variables',
    ARGUMENT: `, map[string]string{${list(names, (name) => `"${name}": "example"`)}}`,
  }),
  php: (names) => ({
    PARAMETER: ', array $variables',
    FIELD: ", 'variables' => $variables",
    ARGUMENT: `, [${list(names, (name) => `'${name}' => 'example'`)}]`,
  }),
}

/** What a program adds to send a user_id. */
const withUser: Record<Language, Parts> = {
  curl: { FIELD: `, "user_id": "${sampleUser}"` },
  python: { PARAMETER: ', user_id', FIELD: ', "user_id": user_id', ARGUMENT: `, "${sampleUser}"` },
  javascript: { PARAMETER: ', userId', FIELD: ', user_id: userId', ARGUMENT: `, '${sampleUser}'` },
  go: { PARAMETER: ', userID string', FIELD: ', "user_id": userID', ARGUMENT: `, "${sampleUser}"` },
  php: { PARAMETER: ', string $userId', FIELD: ", 'user_id' => $userId", ARGUMENT: `, '${sampleUser}'` },
}

const list = (names: string[], of: (name: string) => string) => names.map(of).join(', ')

/** The variables that the programs send: the required ones, or the first one as an example. */
export function sampled(variables: { name: string; required: boolean }[]): string[] {
  const needed = variables.filter(({ required }) => required)
  return (needed.length > 0 ? needed : variables.slice(0, 1)).map(({ name }) => name)
}

/** Whether an export in use requires a user_id. */
export const needsUser = (
  exports: { state: string; requireUserId: boolean; userDailyMessageLimit?: number | null }[],
) => exports.some((row) => row.state !== 'REMOVED' && (row.requireUserId || row.userDailyMessageLimit != null))

type Options = {
  names?: string[]
  withUserId?: boolean
  origin?: string
  /** The names of the actions that replies may request. */
  actions?: string[]
  /** Whether replies have an output, which is then printed. */
  withOutput?: boolean
}

/** The expressions that print the last reply: its text, and its output. */
const answers: Record<Language, [text: string, output: string]> = {
  curl: ['', ''],
  python: ['reply["reply"]', 'reply["output"]'],
  javascript: ['reply.reply', 'reply.output'],
  go: ['result.Reply', 'string(result.Output)'],
  php: ["$reply['reply']", "json_encode($reply['output'], JSON_THROW_ON_ERROR)"],
}

/** A message with its session, end user and variables. */
export type Said = {
  message: string
  sessionId: string
  userId?: string
  variables?: { name: string; value: string }[]
}

/** The message of the first call, with values for the required variables, and with a user_id if one is required. */
export const sample = ({ variables, withUserId }: Called): Said => ({
  message: 'Hello!',
  sessionId: 'customer-42',
  userId: withUserId ? sampleUser : undefined,
  variables: sampled(variables).map((name) => ({ name, value: 'example' })),
})

const messageId = '019a8f2e-7d31-7c55-9c1b-5b8f0a6d2e41'

/** What the service answers to the sample, with "…" for what depends on the agent. */
export function response({ streamed = false, withOutput = false } = {}): string {
  const reply = [
    '{',
    `  "message_id": "${messageId}",`,
    '  "session_id": "customer-42",',
    '  "reply": "…",',
    ...(withOutput ? ['  "output": {…},'] : []),
    '  "finish_reason": "stop",',
    '  "model": "…",',
    '  "agent_version": 1,',
    '  "usage": {',
    '    "credits": 1,',
    '    "credits_remaining": 99,',
    '    "input_tokens": 31,',
    '    "output_tokens": 9',
    '  }',
    '}',
  ]
  if (!streamed) return reply.join('\n')
  const data = (text: string) => `data: ${text}\n`
  return [
    'event: start',
    data(`{"message_id": "${messageId}", "session_id": "customer-42"}`),
    'event: delta',
    data('{"text": "…"}'),
    'event: end',
    data(reply.map((line) => line.trim()).join(' ')),
  ].join('\n')
}

/** The shortest command that sends a message, for a POSIX shell. */
export function firstCall(said: Said, { origin }: { origin?: string } = {}): string {
  const { message, sessionId, userId, variables = [] } = said
  const values = Object.fromEntries(variables.map(({ name, value }) => [name, value]))
  const body = {
    message,
    session_id: sessionId,
    ...(userId && { user_id: userId }),
    ...(variables.length > 0 && { variables: values }),
  }
  return [
    `curl ${endpoint(origin)}`,
    `-H "Authorization: Bearer $${keyVariable}"`,
    '-H "Content-Type: application/json"',
    `-d ${quote(json(body))}`,
  ].join(' \\\n  ')
}

/** Within single quotes, only a single quote is special. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** JSON on one line. Invisible and bidirectional characters are escaped, so that the text shown is the text copied. */
function json(value: string | object): string {
  if (typeof value === 'string') {
    return JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      Array.from(
        { length: character.length },
        (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
      ).join(''),
    )
  }
  const fields = Object.entries(value).map(([name, one]: [string, string | object]) => `${json(name)}: ${json(one)}`)
  return `{${fields.join(', ')}}`
}

/**
 * A program that sends one message as a service should: it reads the key from the environment, because source code is shared. For an
 * agent with actions, it runs the actions that replies request, until a reply requests none.
 */
export function production(
  language: Language,
  { names = [], withUserId, origin, actions = [], withOutput }: Options = {},
): string {
  const user = withUserId ? withUser[language] : undefined
  const values = names.length > 0 ? withValues[language](names) : undefined
  const parts: Record<string, string> = {
    URL: endpoint(origin),
    USER: user?.FIELD ?? '',
    REQUEST: actions.length > 0 ? 'request' : 'message',
    ANSWER: answers[language][withOutput ? 1 : 0],
  }
  for (const part of ['PARAMETER', 'FIELD', 'ARGUMENT'] as const)
    parts[part] = `${user?.[part] ?? ''}${values?.[part] ?? ''}`
  // Functions, because `$` is special in a replacement string.
  return templates[language]
    .trimEnd()
    .replace(section('ACTIONS', '#'), (_, lines: string) => (actions.length > 0 ? lines : ''))
    .replace(section('ACTIONS', '^'), (_, lines: string) => (actions.length > 0 ? '' : lines))
    .replace(section('EACH', '#'), (_, lines: string) =>
      actions.map((name) => lines.replaceAll('{{NAME}}', () => name)).join(''),
    )
    .replace(/{{([A-Z]+)}}/g, (_, part: string) => parts[part] ?? '')
}

/** Matches the lines of a section. {{#NAME}} begins one that is kept with NAME, {{^NAME}} one that is kept without; {{/NAME}} ends both. */
export const section = (name: string, mark: '#' | '^') =>
  new RegExp(`^{{\\${mark}${name}}}\\n([\\s\\S]*?)^{{/${name}}}\\n`, 'gm')

/** A program that prints the reply while it arrives. */
export const streaming = (
  language: Language,
  { names = [], withUserId, origin = window.location.origin }: Options = {},
) => streamingProgram(language, origin, fields(language, names, withUserId))

/** Returns the optional fields of a body, with their values. */
function fields(language: Language, names: string[], withUserId = false): string {
  const parts = [withUserId && withUser[language], names.length > 0 && withValues[language](names)]
  return parts.map((part) => (part ? inPlace(part) : '')).join('')
}

/** Returns a field with its argument instead of the parameter. */
function inPlace({ FIELD, ARGUMENT }: Parts): string {
  const value = ARGUMENT?.slice(', '.length)
  if (value === undefined) return FIELD
  const [name = '', mark = ': '] = FIELD.split(/(: | => )/)
  return name + mark + value
}
