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

/** The endpoint for messages, on this page's own origin. */
export const endpoint = (origin = window.location.origin) => `${origin}/v1/agent/chat`

/**
 * A program that sends one message. `apiKey` is given only while the key is shown, so that the shell snippet can be pasted as
 * it is. Programs always read the variable, because source code ends up where others can read it.
 */
export function snippet(language: Language, apiKey?: string, origin = window.location.origin): string {
  const keyLine =
    apiKey === undefined
      ? `The key comes from $${keyVariable}.`
      : `The key is shown this once.\nexport ${keyVariable}='${apiKey}'`
  // Functions, because `$` is special in a replacement string.
  return templates[language]
    .trimEnd()
    .replace('{{URL}}', () => endpoint(origin))
    .replace('{{KEY_SHELL}}', () => keyLine)
}
