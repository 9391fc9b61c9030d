import { afterEach, describe, expect, test, vi } from 'vitest'
import { i18n } from '@/shared/i18n'
import { formatDate, formatMinute, formatRelative } from '@/shared/time'
import {
  beginningOf,
  formatColumnShare,
  formatDuration,
  formatNumber,
  formatPercent,
  formatShare,
  formatSigned,
  locale,
} from '.'

afterEach(() => vi.restoreAllMocks())

const readAs = (language: string) => vi.spyOn(navigator, 'language', 'get').mockReturnValue(language)

test.each([
  [0, '0 ms'],
  [4.4, '4 ms'],
  [85, '85 ms'],
  [999, '999 ms'],
  [999.6, '1.0 s'],
  [1_000, '1.0 s'],
  [1_249, '1.2 s'],
  [61_000, '61.0 s'],
])('%d ms are shown as %s', (ms, want) => expect(formatDuration(ms)).toBe(want))

test.each([
  ['12345', '12345'],
  ['123456', '12345…'],
  ['1234\u{1F600}6', '1234…'],
  ['1\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}', '1\u{1F1E9}\u{1F1EA}…'],
  ['1234e\u0301', '1234…'],
  ['e\u0301\u0302\u0303\u0304\u0305\u0306', 'e\u0301\u0302\u0303\u0304…'],
])('%j begins with %j', (text, want) => expect(beginningOf(text, 5)).toBe(want))

test('only what is whole is 100%', () => {
  expect([0.99996, 1, 0.985, 0.29, 0].map((share) => formatShare(share))).toEqual([
    '99.9%',
    '100%',
    '98.5%',
    '29%',
    '0%',
  ])
})

test('shares of a total are rounded to the nearest tenth', () => {
  expect([71, 13, 1, 85].map((part) => formatColumnShare(part / 85))).toEqual(['83.5%', '15.3%', '1.2%', '100.0%'])
})

test('a number keeps all its decimals, as a temperature needs them', () => {
  expect([0.7255, 1_234, 5.3].map(formatNumber)).toEqual(['0.7255', '1,234', '5.3'])
})

const noon = Date.UTC(2026, 0, 31, 12)
const text = (language: string) => {
  readAs(language)
  return [
    formatNumber(1_234_567.5),
    formatPercent(98.5),
    formatSigned(-1_234),
    formatDuration(240),
    formatDuration(1_000),
    i18n.t('choose.count', { count: 12_345 }),
    formatRelative(noon - 3 * 60_000, noon),
  ]
    .join(' | ')
    .replaceAll('\u00a0', ' ')
}

describe('numbers and dates are written as the browser says, words in the language of the panel', () => {
  test.each([
    ['de-DE', '1.234.567,5 | 98,5 % | −1.234 | 240 ms | 1,0 s | 12.345 selected | 3 minutes ago'],
    ['hi-IN', '12,34,567.5 | 98.5% | −1,234 | 240 ms | 1.0 s | 12,345 selected | 3 minutes ago'],
    ['ar-EG', '١٬٢٣٤٬٥٦٧٫٥ | ٩٨٫٥٪؜ | ؜−١٬٢٣٤ | ٢٤٠ ms | ١٫٠ s | ١٢٬٣٤٥ selected | ٣ minutes ago'],
  ])('%s', (language, want) => expect(text(language)).toBe(want))

  test('a day and its hours are written as the reader is used to', () => {
    readAs('en-US')
    expect(formatMinute(noon)).toMatch(/(AM|PM)$/)
    readAs('en-GB')
    expect(formatMinute(noon)).not.toMatch(/[AP]M$/i)
    readAs('de-DE')
    expect(formatDate(noon)).toBe('31.01.2026')
  })

  test('a name that is no language is English', () => {
    readAs('en-US@posix')
    expect(locale()).toBe('en')
  })
})

// What is written by hand is wrong in every other language, and no test of a page would notice.
describe('nothing is formatted by hand', () => {
  const sources = import.meta.glob<string>(
    ['/src/**/*.{ts,tsx}', '!/src/**/*.test.*', '!/src/gql/**', '!/src/shared/{format,time}/**'],
    {
      query: '?raw',
      import: 'default',
      eager: true,
    },
  )
  const texts = import.meta.glob<string>('/src/locales/*/*.json', { query: '?raw', import: 'default', eager: true })

  test('outside of shared/format and shared/time there is no Intl, toFixed or toLocale…', () => {
    const byHand =
      /Intl\.(?!DateTimeFormat\(\)\.resolvedOptions)|\.toFixed\(|\.toLocale(Date|Time|String)|\.localeCompare\(|\} ?%`/
    const found = Object.entries(sources).filter(([, source]) => byHand.test(source))
    expect(found.map(([path]) => path)).toEqual([])
    expect(Object.keys(sources).length).toBeGreaterThan(300)
  })

  test('no text has a percent sign, which stands elsewhere in other languages', () => {
    const found = Object.entries(texts).filter(([, source]) => source.includes('%'))
    expect(found.map(([path]) => path)).toEqual([])
    expect(Object.keys(texts).length).toBeGreaterThan(20)
  })
})
