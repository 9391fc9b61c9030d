import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AgentMark } from './AgentMark'
import { markOf } from './mark'

const ids = Array.from({ length: 1_000 }, (_, at) => `0193f5a0-0000-7000-8000-${String(at).padStart(12, '0')}`)

test('a mark is two consonants and one of eight hues, always the same for an ID', () => {
  for (const id of ids) {
    expect(markOf(id)).toEqual(markOf(id))
    expect(markOf(id).letters).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{2}$/)
  }
  expect(new Set(ids.map((id) => markOf(id).hue))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]))
})

test('agents made one after the other are told apart', () => {
  const marks = new Set(ids.slice(0, 25).map((id) => JSON.stringify(markOf(id))))
  expect(marks.size).toBeGreaterThan(23)
})

test('the mark is not read out: the name beside it is', () => {
  const { container } = render(<AgentMark id="a1" />)
  const mark = container.querySelector('span')
  expect(mark?.getAttribute('aria-hidden')).toBe('true')
  expect(mark?.textContent).toBe(markOf('a1').letters)
})
