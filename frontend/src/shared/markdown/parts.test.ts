import { expect, test } from 'vitest'
import { partsOf } from './parts'

const paragraph = `${'word '.repeat(40)}\n\n`
const code = `\`\`\`js\n${'call()\n\n'.repeat(3_000)}\`\`\`\n`

test('a short text is one part', () => {
  expect(partsOf('# a\n\nb')).toEqual(['# a\n\nb'])
})

test.each([
  ['paragraphs', paragraph.repeat(300)],
  ['code', `Look:\n${code}Done.\n\n${paragraph.repeat(100)}`],
  ['code that is not closed', `${paragraph.repeat(60)}~~~\n${'```\n\n'.repeat(3_000)}`],
  ['a list without blank lines', `- ${'word '.repeat(10)}\n`.repeat(600)],
  ['a list with code in it', '- one\n\n  ```\n  x\n\n  ```\n\n  two\n\n'.repeat(600)],
])('%s are split between their blocks, and nothing is lost', (_, text) => {
  const parts = partsOf(text)
  expect(parts?.join('')).toBe(text)
  expect(parts?.length).toBeGreaterThan(1)
  for (const part of parts ?? []) {
    expect(part.length <= 10_000 || /^(```js|~~~)\n/.test(part), part.slice(0, 20)).toBe(true)
    expect(part).toMatch(/^\S/)
    expect((part.match(/^ *```/gm)?.length ?? 0) % 2 === 0 || part.startsWith('~~~')).toBe(true)
  }
})

test('what cannot be split, or would exhaust the parser, has no parts', () => {
  expect(partsOf(paragraph + 'word '.repeat(3_000))).toBeUndefined()
  expect(partsOf('> '.repeat(60))).toBeUndefined()
})
