import { expect, test } from 'vitest'
import { formatDuration } from '.'

test.each([
  [0, '0 ms'],
  [4.4, '4 ms'],
  [85, '85 ms'],
  [999, '999 ms'],
  [1_000, '1 s'],
  [1_249, '1.2 s'],
  [61_000, '61 s'],
])('%d ms are shown as %s', (ms, want) => expect(formatDuration(ms)).toBe(want))
