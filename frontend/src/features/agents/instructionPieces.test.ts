import { expect, test } from 'vitest'
import { instructionPieces } from './instructionPieces'

test.each<[string, string[], string[]]>([
  [
    'Hello {{name}}, {{name}}!',
    ['name'],
    ['text:Hello ', 'variable:{{name}}', 'text:, ', 'variable:{{name}}', 'text:!'],
  ],
  [
    'Say {{other}}.\n(Describe it here)',
    ['name'],
    ['text:Say ', 'undeclared:{{other}}', 'text:.\n', 'leftover:(Describe it here)'],
  ],
  ['(Tell {{name}} here)', ['name'], ['leftover:(Tell {{name}} here)']],
  ['', [], []],
])('the pieces of “%s”', (text, declared, pieces) => {
  expect(instructionPieces(text, declared).map(({ kind, text: piece }) => `${kind}:${piece}`)).toEqual(pieces)
})

test('the pieces are the whole text', () => {
  const text = `${'TODO {{a}} (x here) 😀\r\n'.repeat(50)}{{b}} xxx [your company] <insert>`
  expect(
    instructionPieces(text, ['a'])
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text)
})
