import { expect, test } from 'vitest'
import { caretAfter } from './caret'
import { merge, type Side } from './merge'

const same = (_: string, a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Merges texts whose lines are single letters. */
function texts(base: string, mine: string, theirs: string, side?: Side) {
  const lines = (text: string) => ({ instructions: text.split('').join('\n') })
  const { clashes, settle } = merge(lines(base), lines(mine), lines(theirs), same)
  const text = settle(Object.fromEntries(clashes.map(({ id }) => [id, side ?? 'mine']))).instructions
  return `${text.split('\n').join('')} ${clashes.map((one) => one.kind === 'lines' && `${one.line}${one.mine.split('\n').join('')}/${one.theirs.split('\n').join('')}`).join(' ')}`.trim()
}

test('lines that only one side changed are merged', () => {
  expect(texts('abcde', 'aBcde', 'abcDe')).toBe('aBcDe')
  expect(texts('abcde', 'bcde', 'abcdef')).toBe('bcdef')
  expect(texts('abcde', 'aBcde', 'abCDe')).toBe('aBCDe')
  expect(texts('abcde', 'xabcde', 'abcd')).toBe('xabcd')
  expect(texts('abcde', 'abXcde', 'abXcde')).toBe('abXcde')
  expect(texts('abcde', 'aXXcde', 'abcdY')).toBe('aXXcdY')
})

test('lines that both sides changed clash, at my line number', () => {
  expect(texts('abcde', 'xabCde', 'abDde')).toBe('xabCde 4C/D')
  expect(texts('abcde', 'xabCde', 'abDde', 'theirs')).toBe('xabDde 4C/D')
  expect(texts('abcde', 'xabCde', 'abDde', 'both')).toBe('xabDCde 4C/D')
  expect(texts('abc', 'ac', 'aBc')).toBe('ac 2/B')
  expect(texts('ab', 'abX', 'abY', 'both')).toBe('abYX 3X/Y')
  expect(texts('abcd', 'aBcd', 'abXcd', 'both')).toBe('abXBcd 2B/bX')
})

const row = (name: string, description = '') => ({ name, description, required: false, defaultValue: '' })

/** Merges variables. */
function variables(base: object[], mine: object[], theirs: object[], side: Side = 'mine') {
  const { clashes, settle } = merge({ variables: base }, { variables: mine }, { variables: theirs }, same)
  const choices = Object.fromEntries(clashes.map(({ id }) => [id, side]))
  return [settle(choices).variables, clashes.map((one) => one.kind === 'row' && one.name)]
}

test('variables are merged one by one, by name', () => {
  const [a, b, c] = [row('a'), row('b'), row('c')]
  expect(variables([a], [a, b], [a, c])).toEqual([[a, c, b], []])
  expect(variables([a, b], [row('a', 'mine'), b], [a, row('b', 'theirs')])).toEqual([
    [row('a', 'mine'), row('b', 'theirs')],
    [],
  ])
  expect(variables([a, b, c], [c, b, a], [a, b])).toEqual([[b, a], []])
  expect(variables([a], [a, row(''), row('')], [row('a', 'x')])).toEqual([[row('a', 'x'), row(''), row('')], []])
})

test('a variable that both sides changed clashes, even if one side removed it', () => {
  const a = row('a')
  const mine = row('a', 'mine')
  expect(variables([a], [mine], [row('a', 'theirs')], 'theirs')).toEqual([[row('a', 'theirs')], ['a']])
  expect(variables([a], [mine], [], 'mine')).toEqual([[mine], ['a']])
  expect(variables([a], [mine], [], 'theirs')).toEqual([[], ['a']])
})

test('actions are merged like variables', () => {
  const action = (name: string, description = '') => ({ name, description, parameters: '{}' })
  const [a, b] = [action('a'), action('b')]
  const merged = (mine: object[], theirs: object[]) =>
    merge({ actions: [a, b] }, { actions: mine }, { actions: theirs }, same)
  expect(merged([action('a', 'mine'), b], [a, action('b', 'theirs')]).settle({}).actions).toEqual([
    action('a', 'mine'),
    action('b', 'theirs'),
  ])
  const clash = merged([action('a', 'mine'), b], [action('a', 'theirs'), b])
  expect(clash.clashes).toEqual([
    {
      id: 'actions named a',
      field: 'actions',
      kind: 'row',
      name: 'a',
      mine: action('a', 'mine'),
      theirs: action('a', 'theirs'),
    },
  ])
  expect(clash.settle({ 'actions named a': 'theirs' }).actions).toEqual([action('a', 'theirs'), b])
})

test('the caret keeps its position when text is inserted before or after it', () => {
  expect(caretAfter('one two', 'zero one two', 4)).toBe(9)
  expect(caretAfter('one two', 'one two three', 4)).toBe(4)
  expect(caretAfter('one two', 'x', 4)).toBe(1)
})
