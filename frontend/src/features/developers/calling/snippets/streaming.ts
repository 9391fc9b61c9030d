import javascript from '@examples/streaming/chat.js?raw'
import php from '@examples/streaming/chat.php?raw'
import python from '@examples/streaming/chat.py?raw'
import curl from '@examples/streaming/chat.sh?raw'
import go from '@examples/streaming/main.go?raw'

/** The service's address in the examples. */
const exampleOrigin = 'http://127.0.0.1:8080'
const programs = { curl, python, javascript, go, php }

/** Returns the streaming example in a language, with the address of this page and with `fields` in the body of its message. */
export function streamingProgram(language: keyof typeof programs, origin: string, fields: string): string {
  return programs[language]
    .trimEnd()
    .replace(exampleOrigin, () => origin)
    .replace(/(?=, ["']?stream["']?(:| =>) true\b)/i, () => fields)
}
