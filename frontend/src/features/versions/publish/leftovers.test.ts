import { expect, test } from 'vitest'
import home from '@/locales/en/home.json'
import { leftovers } from './leftovers'

test.each(Object.entries(home.starter))('the placeholders of the template %s are found', (_, { instructions }) => {
  const lines = instructions.split('\n')
  const meant = lines.flatMap((text, at) => (/\(.*\bhere\b.*\)/.test(text) ? [at + 1] : []))
  expect(meant.length).toBeGreaterThan(0)
  expect(leftovers(instructions).map(({ line }) => line)).toEqual(meant)
})

test.each([
  ['TODO: write the rest', 'TODO'],
  ['Sign as [your name].', '[your name]'],
  ['You work for [Company].', '[Company]'],
  ['Write to <your address>.', '<your address>'],
  ['Open (… here…) always', '(… here…)'],
  ['Lorem Ipsum dolor', 'Lorem Ipsum'],
  ['Call 0800 xxx.', 'xxx'],
  ['The order is {{ order }}.', '{{ order }}'],
])('in “%s” it is %s', (text, found) => {
  expect(leftovers(`First line.\n${text}`)).toEqual([{ line: 2, text: found, place: 12 + text.indexOf(found) }])
})

test.each([
  'See [your account](https://example.com).',
  'There is todo el mundo, and Hereford (a town).',
  'Sizes go to XL (not XXL).',
  'Answer in [the] language of the customer.',
])('“%s” is left alone', (text) => {
  expect(leftovers(text)).toEqual([])
})

test('variables are none, misspelt ones are', () => {
  const text = '{{tone}} {{ tone }} {{tone }} (more about {{tone}} here)'
  expect(leftovers(text).map((found) => found.text)).toEqual(['{{ tone }}', '{{tone }}', '(more about {{tone}} here)'])
})

test('several in one line are found in order', () => {
  expect(leftovers('xxx and TODO and (write it here)').map(({ text }) => text)).toEqual([
    'xxx',
    'TODO',
    '(write it here)',
  ])
})
