import curl from './snippets/curl.txt?raw'
import go from './snippets/go.txt?raw'
import javascript from './snippets/javascript.txt?raw'
import php from './snippets/php.txt?raw'
import python from './snippets/python.txt?raw'

/** The environment variable from which the snippets read the key. */
export const keyVariable = 'AGENTCHAT_API_KEY'

/** The languages of the snippets; names of languages are the same in every language of the panel. */
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

/** Where software sends its messages: at the address under which this page was opened. */
export const endpoint = (origin = window.location.origin) => `${origin}/v1/agent/chat`

/**
 * A program that sends one message. `apiKey` is given only while the key is shown: then the shell snippet can be pasted as it
 * is. Programs read the variable in any case, because what is in a program's text ends up where others read it.
 */
export function snippet(language: Language, apiKey?: string, origin = window.location.origin): string {
  const keyLine =
    apiKey === undefined
      ? `The key comes from $${keyVariable}.`
      : `The key is shown this once.\nexport ${keyVariable}='${apiKey}'`
  // Functions, because a `$` in a replacement text would mean something.
  return templates[language]
    .trimEnd()
    .replace('{{URL}}', () => endpoint(origin))
    .replace('{{KEY_SHELL}}', () => keyLine)
}
