import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Sparkline } from './Sparkline'

const paths = (container: HTMLElement) => [...container.querySelectorAll('path')].map((path) => path.getAttribute('d'))

test('the period and the previous one share a scale, from bottom to top', () => {
  const { container } = render(<Sparkline now={[0, 5, 10]} before={[10, 20, 0]} height={24} />)
  const [area, before, now] = paths(container)
  expect(now).toBe('M0 22L50 17L100 12h0')
  expect(before).toBe('M0 12L50 2L100 22h0')
  expect(area).toBe('M0 22L50 17L100 12L100 24L0 24Z')
  expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true')
})

test('the pointer finds what each value is called', () => {
  const { container } = render(
    <Sparkline
      now={[1, 2, 3]}
      labels={[
        ['13:00', '1'],
        ['14:00', '2'],
        ['15:00', '3'],
      ]}
    />,
  )
  const places = [...container.querySelectorAll('rect')]
  expect(places.map((place) => place.querySelector('title')?.textContent)).toEqual(['13:00: 1', '14:00: 2', '15:00: 3'])
  expect(places.map((place) => place.getAttribute('x'))).toEqual(['-25', '25', '75'])
})

test('a line skips unknown values', () => {
  const { container } = render(<Sparkline now={[null, 10, null, 10, null]} height={24} />)
  expect(paths(container)[1]).toBe('M25 2L75 2h0')
})

test('no values, zeros and a single value are drawn', () => {
  for (const [now, line] of [
    [[], ''],
    [[null], ''],
    [[0, 0], 'M0 22L100 22h0'],
    [[7], 'M0 2h0'],
  ] as const) {
    const { container, unmount } = render(<Sparkline now={now} height={24} />)
    expect(paths(container).at(-1)).toBe(line)
    unmount()
  }
})
