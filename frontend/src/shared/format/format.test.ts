import { expect, test } from 'vitest'
import { beginningOf, formatDuration } from '.'

test.each([
  [0, '0 ms'],
  [4.4, '4 ms'],
  [85, '85 ms'],
  [999, '999 ms'],
  [1_000, '1 s'],
  [1_249, '1.2 s'],
  [61_000, '61 s'],
])('%d ms are shown as %s', (ms, want) => expect(formatDuration(ms)).toBe(want))

test.each([
  ['12345', '12345'],
  ['123456', '12345…'],
  ['1234\u{1F600}6', '1234…'],
  ['1\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}', '1\u{1F1E9}\u{1F1EA}…'],
  ['1234e\u0301', '1234…'],
  ['e\u0301\u0302\u0303\u0304\u0305\u0306', 'e\u0301\u0302\u0303\u0304…'],
])('%j begins with %j', (text, want) => expect(beginningOf(text, 5)).toBe(want))
