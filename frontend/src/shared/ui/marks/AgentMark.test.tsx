import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AgentMark } from './AgentMark'
import { markOf } from './mark'

test.each([
  ['Order desk', 'O'],
  ['order desk', 'O'],
  ['  “Réservations”', 'R'],
  ['élan', 'É'],
  ['e\u0301lan', 'É'],
  ['æro', 'Æ'],
  ['ßeta', 'S'],
  ['お客様サポート', 'お'],
  ['خدمة', 'خ'],
  ['𝒜gent', '𝒜'],
  ['24/7', '2'],
  ['🤖', '🤖'],
  ['🤖 Robot', 'R'],
  ['\u202E!', '•'],
  ['', '•'],
  [`Z${'\u0489'.repeat(10_000)}`, 'Z'],
])('the mark of “%s” is %s', (name, letter) => expect(markOf(name).letter).toBe(letter))

test('the hue is that of the name, and names that are alike have different ones', () => {
  const hues = Array.from({ length: 1_000 }, (_, at) => markOf(`Line ${at}`).hue)
  expect(hues).toEqual(hues.map((_, at) => markOf(`Line ${at}`).hue))
  for (let hue = 1; hue <= 8; hue++) expect(hues.filter((one) => one === hue).length).toBeGreaterThan(60)
})

test('the mark is not read out: the name beside it is', () => {
  const { container } = render(<AgentMark name="Shop" />)
  const mark = container.querySelector('span')
  expect(mark?.getAttribute('aria-hidden')).toBe('true')
  expect(mark?.textContent).toBe('S')
})
