import guide from '@docs/streaming.md?raw'

/** What the guide has in place of the service's address. */
const guideOrigin = 'http://127.0.0.1:8080'
/** The marks of its blocks. */
const marks = { curl: 'bash', python: 'python', javascript: 'javascript', go: 'go', php: 'php' }

/** The program of docs/streaming.md in a language, with the address of this page. `fields` go into the body of its message. */
export function streamingProgram(language: keyof typeof marks, origin: string, fields: string): string {
  const block = new RegExp(`^\`\`\`${marks[language]}\n([\\s\\S]*?)\n\`\`\`$`, 'm')
  const program = block.exec(guide)?.[1] ?? ''
  return program.replace(guideOrigin, () => origin).replace(/(?=, ["']?stream["']?(:| =>) true\b)/i, () => fields)
}
