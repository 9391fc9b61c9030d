import { expect, test } from 'vitest'
import { i18n } from '.'
import { isolate } from './isolate'

test.each(['Support', 'Čeština 日本語 <b>&amp;</b> {{name}}', ''])('%j cannot steer and stays as it is', (text) => {
  expect(isolate(text)).toBe(text)
})

test.each([
  ['עברית', '\u2068עברית\u2069'],
  ['a\u202Eb', '\u2068a\u202Eb\u2069'],
  ['a\u2069\u202Eb', '\u2068a\u202Eb\u2069'],
  ['\u2067a\u2069\u2069b', '\u2068\u2067a\u2069b\u2069'],
  ['\u2066\u2067a', '\u2068\u2066\u2067a\u2069\u2069\u2069'],
  ['a\u2029\u202Eb', '\u2068a \u202Eb\u2069'],
  ['\u{10840}', '\u2068\u{10840}\u2069'],
])('%j is closed in itself', (text, isolated) => {
  expect(isolate(text)).toBe(isolated)
})

test('values in sentences are isolated, and not escaped twice', () => {
  expect(i18n.t('error.rateLimited', { count: 2 })).toContain('2 seconds')
  i18n.addResource('en', 'common', 'test.sentence', 'Delete “{{name}}”?')
  expect(i18n.t('test.sentence' as 'error.title', { name: 'a\u202Eb' })).toBe('Delete “\u2068a\u202Eb\u2069”?')
  expect(i18n.t('test.sentence' as 'error.title', { name: '<b> & $t(close)' })).toBe('Delete “<b> & $t(close)”?')
})
