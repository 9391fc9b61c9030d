import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { session } from '@/shared/gql'
import { inMinutes } from '@/shared/testing/server'
import { formatDay } from '@/shared/time'
import { renderPage } from '@/testing/renderPage'
import { listed, requests, row, service } from './testing'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.forget())

test('today is the service’s, also where the browser’s clock is a day off', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-06T20:00:00Z') })
  session.signedIn('good', inMinutes(15), Date.now())
  service(requests, '2026-01-05T20:00:00Z')
  renderPage('/activity/requests')
  await listed()
  await waitFor(() => expect(screen.getByText(/^Today, /).textContent).toContain(formatDay('2026-01-05T19:03:05Z')))
})

test('the log has times under their day, first words or the reason for none, and what it cost', async () => {
  const { asked } = service()
  renderPage('/activity/requests')
  await listed()
  const cells = (id: string) => [...row(id).querySelectorAll('td')].map(({ textContent }) => textContent)
  expect(cells('refused-1')).toEqual([
    '2:03:05 PM · Shop help',
    '402 insufficient_credits',
    'The account does not have enough credits.',
    '',
    'Shop help',
    '3 ms · 0 credits',
    '0',
  ])
  expect(cells('answered-1')).toEqual([
    '2:03:05 PM · Shop help',
    '200 answered',
    '¿Puedo cambiar\nla dirección?',
    'maria',
    'Shop help',
    '1.2 s · 5 credits',
    '5',
  ])
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    'Mon, Jan 5, 2026 · America/New_York',
    'Sun, Jan 4, 2026 · America/New_York',
  ])
  expect(screen.getByText('3 requests')).toBeTruthy()
  expect(asked[0]).toEqual({ first: 50, after: null, filter: {} })
})

test('without requests it says how they come about', async () => {
  service([])
  renderPage('/activity/requests?time=all')
  expect(await screen.findByText('No requests yet')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'API docs' }).getAttribute('href')).toBe('/developers')
})

test('without requests of late it offers all', async () => {
  service([])
  const { router } = renderPage('/activity/requests')
  await userEvent.click(await screen.findByRole('link', { name: 'Show all time' }))
  expect(await screen.findByText('No requests yet')).toBeTruthy()
  expect(router.state.location.search).toEqual({ time: 'all' })
})

test.each([
  'search=zzz',
  'userId=nobody&time=30d',
  'from=2026-01-05&to=2026-01-06',
  'time=all&since=2026-01-05T00:00:00Z&until=2026-01-06T00:00:00Z',
])('a filter without a match offers all time: %s', async (search) => {
  service([])
  const { router } = renderPage(`/activity/requests?${search}`)
  expect(await screen.findByText('No matching requests')).toBeTruthy()
  await userEvent.click(screen.getByRole('link', { name: 'Show all time' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ time: 'all' }))
  for (const part of ['from', 'to', 'since', 'until']) expect(router.state.location.search).not.toHaveProperty(part)
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Show all time' })).toBeNull())
})
