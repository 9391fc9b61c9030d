import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { renderInPanel } from '@/shared/testing/render'
import { hearServerTime, serverNow } from './clock'
import { formatDateTime, formatRelative } from './format'
import { RelativeTime } from './RelativeTime'

afterEach(() => hearServerTime(null))

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

test.each([
  [0, 'now'],
  [-59 * second, 'now'],
  [-minute, '1 minute ago'],
  [-59.9 * minute, '59 minutes ago'],
  [-hour, '1 hour ago'],
  [-23.9 * hour, '23 hours ago'],
  [-day, 'yesterday'],
  [-6.9 * day, '6 days ago'],
  [-7 * day, 'last week'],
  [-400 * day, 'last year'],
  [2 * hour, 'in 2 hours'],
])('%i ms from now is "%s"', (offset, want) => {
  const now = Date.UTC(2026, 0, 31, 12)
  expect(formatRelative(now + offset, now)).toBe(want)
})

test('shows the exact moment in a tooltip', async () => {
  const time = new Date(Date.now() - 3 * hour - minute).toISOString()
  renderInPanel(<RelativeTime time={time} />)
  const shown = screen.getByText('3 hours ago')
  expect(shown.getAttribute('datetime')).toBe(time)
  await userEvent.hover(shown)
  expect((await screen.findByRole('tooltip')).textContent).toBe(formatDateTime(time))
})

test('says never', () => {
  renderInPanel(
    <>
      <RelativeTime time={null} />
      <RelativeTime time={null} none="Never used" />
    </>,
  )
  expect(screen.getByText('Never')).toBeTruthy()
  expect(screen.getByText('Never used')).toBeTruthy()
})

test('what has happened is never to come, what will happen is', () => {
  const time = new Date(Date.now() + 54.5 * minute).toISOString()
  renderInPanel(
    <>
      <RelativeTime time={time} />
      <RelativeTime time={time} mayLieAhead />
    </>,
  )
  expect(screen.getByText('now')).toBeTruthy()
  expect(screen.getByText('in 54 minutes')).toBeTruthy()
})

test.each([-54, 3 * 24 * 60])('the clock of the server counts, also %i minutes from this one', async (minutes) => {
  const server = Date.now() + minutes * minute
  renderInPanel(<RelativeTime time={new Date(server - 3 * minute - 20 * second).toISOString()} />)
  act(() => hearServerTime(new Date(server).toUTCString()))
  expect(screen.getByText('3 minutes ago')).toBeTruthy()
  expect(Math.abs(serverNow() - server)).toBeLessThan(2 * second)
})

test('without the time of the server this clock counts', () => {
  hearServerTime(new Date(0).toUTCString())
  hearServerTime(null)
  expect(Math.abs(serverNow() - Date.now())).toBeLessThan(second)
})

test('in a row that is a link, a click on the time opens the row', async () => {
  const open = vi.fn()
  renderInPanel(
    <div className="panel-row">
      <button type="button" className="panel-row-link" onClick={open}>
        Row
      </button>
      <RelativeTime time={new Date(Date.now() - hour - 20_000).toISOString()} />
    </div>,
  )
  await userEvent.click(screen.getByText('1 hour ago'))
  expect(open).toHaveBeenCalledOnce()
})
