import { expect, test } from 'vitest'
import { fold, type Line, lineDiff } from './lines'

/** A diff as text: the sign, the number, and the line with its changed words in braces. */
const signs = { same: ' ', added: '+', removed: '-' }
const written = (lines: Line[]) =>
  lines.map(
    ({ kind, number, pieces }) =>
      `${signs[kind]}${number} ${pieces.map(({ text, changed }) => (changed ? `{${text}}` : text)).join('')}`,
  )

test.each([
  ['nothing', 'a\nb', 'a\nb', [' 1 a', ' 2 b']],
  ['an added line', 'a\nc', 'a\nb\nc', [' 1 a', '+2 b', ' 3 c']],
  ['a removed line', 'a\nb\nc', 'a\nc', [' 1 a', '-2 b', ' 2 c']],
  ['a changed word', 'Wait 30 days.', 'Wait 60 days.', ['-1 Wait {30} days.', '+1 Wait {60} days.']],
  ['two lines for one', 'a b', 'a c\nd', ['-1 a b', '+1 a c', '+2 d']],
  ['the first text', '', 'a\nb', ['+1 a', '+2 b']],
  ['no text any more', 'a', '', ['-1 a']],
  ['an empty line', 'a', 'a\n', [' 1 a', '+2 ']],
])('a diff shows %s', (_, before, after, lines) => {
  expect(written(lineDiff(before, after))).toEqual(lines)
})

test('texts that have nothing in common are compared in time', () => {
  const text = (of: string) => Array.from({ length: 10_000 }, (_, at) => `${of}${at}`).join('\n')
  const lines = lineDiff(text('a'), text('b'))
  expect(lines).toHaveLength(20_000)
  expect(lines[0]).toEqual({ kind: 'removed', number: 1, pieces: [{ text: 'a0', changed: false }] })
  expect(lines[10_000]).toEqual({ kind: 'added', number: 1, pieces: [{ text: 'b0', changed: false }] })
})

test('unchanged lines far from a change are folded, with three left on each side', () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`)
  const after = before.with(9, 'another')
  const blocks = fold(lineDiff(before.join('\n'), after.join('\n')))
  expect(blocks.map(({ folded, lines }) => [folded, lines.length])).toEqual([
    [true, 6],
    [false, 8],
    [true, 7],
  ])
  expect(blocks[1]?.lines[0]?.number).toBe(7)
})

test('a single line is not folded', () => {
  const blocks = fold(lineDiff('1\n2\n3\n4\n5', '1\n2\n3\n4\n5\n6'))
  expect(blocks.some(({ folded }) => folded)).toBe(true)
  expect(fold(lineDiff('1\n2\n3\n4', '1\n2\n3\n4\n5')).some(({ folded }) => folded)).toBe(false)
})
