import type { AgentExport } from './queries'
import curl from './snippets/curl.txt?raw'
import go from './snippets/go.txt?raw'
import javascript from './snippets/javascript.txt?raw'
import php from './snippets/php.txt?raw'
import python from './snippets/python.txt?raw'

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
export type Grammar = (typeof languages)[number]['grammar']

const templates: Record<Language, string> = { curl, python, javascript, go, php }

/** The end user of the programs. */
export const sampleUser = 'user-1'

/** The endpoint for messages, on this page's own origin. */
export const endpoint = (origin = window.location.origin) => `${origin}/v1/agent/chat`

type Parts = { PARAMETER?: string; FIELD: string; ARGUMENT?: string }

/** What a program has in addition when it sends values: in the function, in the body, and in the call. */
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

/** What a program has in addition when it says who writes. */
const withUser: Record<Language, Parts> = {
  curl: { FIELD: `, "user_id": "${sampleUser}"` },
  python: { PARAMETER: ', user_id', FIELD: ', "user_id": user_id', ARGUMENT: `, "${sampleUser}"` },
  javascript: { PARAMETER: ', userId', FIELD: ', user_id: userId', ARGUMENT: `, '${sampleUser}'` },
  go: { PARAMETER: ', userID string', FIELD: ', "user_id": userID', ARGUMENT: `, "${sampleUser}"` },
  php: { PARAMETER: ', string $userId', FIELD: ", 'user_id' => $userId", ARGUMENT: `, '${sampleUser}'` },
}

const list = (names: string[], of: (name: string) => string) => names.map(of).join(', ')

/** The variables that the programs give values: the required ones, or one to show how. */
export function sampled(variables: { name: string; required: boolean }[]): string[] {
  const needed = variables.filter(({ required }) => required)
  return (needed.length > 0 ? needed : variables.slice(0, 1)).map(({ name }) => name)
}

/** Whether an export that is in use refuses messages without a user_id. */
export const needsUser = (exports: Pick<AgentExport, 'state' | 'requireUserId' | 'userDailyMessageLimit'>[]) =>
  exports.some((row) => row.state !== 'REMOVED' && (row.requireUserId || row.userDailyMessageLimit != null))

type Options = { apiKey?: string; names?: string[]; withUserId?: boolean; origin?: string }

/**
 * A program that sends one message, with values for the variables of these names, and with a user_id if one is needed. `apiKey` is given only while the key is shown,
 * so that the shell snippet can be pasted as it is. Programs always read the environment variable, because source code ends up
 * where others can read it.
 */
export function snippet(language: Language, { apiKey, names = [], withUserId, origin }: Options = {}): string {
  const user = withUserId ? withUser[language] : undefined
  const values = names.length > 0 ? withValues[language](names) : undefined
  const keyLine =
    apiKey === undefined
      ? `The key comes from $${keyVariable}.`
      : `The key is shown this once.\nexport ${keyVariable}='${apiKey}'`
  // Functions, because `$` is special in a replacement string.
  return templates[language]
    .trimEnd()
    .replace('{{URL}}', () => endpoint(origin))
    .replace('{{KEY_SHELL}}', () => keyLine)
    .replace(
      /{{(PARAMETER|FIELD|ARGUMENT)}}/g,
      (_, part: keyof Parts) => `${user?.[part] ?? ''}${values?.[part] ?? ''}`,
    )
}
