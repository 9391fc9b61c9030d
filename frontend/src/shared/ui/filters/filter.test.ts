import { expect, test } from 'vitest'
import { has } from './filter'

test.each([
  ['Caf\u00E9 Berlin', 'cafe\u0301', true],
  ['CAFE\u0301 BERLIN', ' caf\u00E9 b', true],
  ['Caf\u00E9', 'cafe', false],
  ['Shop', '', true],
  ['Shop', 'desk', false],
])('%j has %j: %j', (text, typed, want) => expect(has(text, typed)).toBe(want))
