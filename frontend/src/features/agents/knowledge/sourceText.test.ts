import { expect, test } from 'vitest'
import { isUnused, numberRanges } from './sourceText'
import { splitAtWords } from './splitAtWords'

test.each([
  [[], ''],
  [[7], '7'],
  [[3, 4, 5], '3–5'],
  [[1, 3, 4, 9, 1000], '1, 3–4, 9, 1,000'],
])('versions %j are %j', (numbers, text) => {
  expect(numberRanges(numbers)).toBe(text)
})

test.each([
  [{ inDraft: true, inVersions: [] }, false],
  [{ inDraft: false, inVersions: [1, 3] }, false],
  [{ inDraft: false, inVersions: [1, 2] }, true],
])('%j: unused is %j when versions 3 and 5 are in use', (source, unused) => {
  expect(isUnused(source, [3, 5])).toBe(unused)
})

test.each([
  ['Within 30 days, today', ['days', '30'], ['Within ', '30', ' ', 'days', ', today']],
  ['DAYS a-1 b', ['a-1', 'days', 'a'], ['', 'DAYS', ' ', 'a-1', ' b']],
  ['退货期限是三十天', ['退货', '期限'], ['', '退货', '', '期限', '是三十天']],
  ['a+b (c)', ['(c)', 'a+b'], ['', 'a+b', ' ', '(c)', '']],
  ['nothing', [''], ['nothing']],
])('%j is cut at %j', (text, words, pieces) => {
  expect(splitAtWords(text, words)).toEqual(pieces)
})
