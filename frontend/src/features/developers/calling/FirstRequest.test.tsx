import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FirstRequestQuery } from '@/gql/graphql'
import type { Whole } from '@/shared/gql'
import { session } from '@/shared/gql'
import { answer, inMinutes } from '@/shared/testing/server'
import { pollInterval } from './queries'
import { renderInRouter } from './testing'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.forget())

const request = {
  id: 'r1',
  at: inMinutes(0),
  outcome: 'ANSWERED',
  status: 200,
  code: null,
  detail: null,
  credits: 5,
  durationMs: 1_200,
  turn: { message: 'Hello!', reply: 'Good day.' },
}
const refused = {
  ...request,
  id: 'r2',
  outcome: 'REFUSED',
  status: 402,
  code: 'insufficient_credits',
  detail: 'No credits are left.',
  credits: 0,
  turn: null,
}

/** A service with the requests of one export, and the filters that it received. */
function service() {
  const state = { requests: [] as object[], asked: [] as unknown[] }
  const pageInfo = { hasNextPage: false, hasPreviousPage: false }
  answer({
    viewer: {
      id: '1',
      creditsAvailable: 95,
      requests: ({ filter }: { filter: unknown }) => {
        state.asked.push(filter)
        return { nodes: state.requests, pageInfo }
      },
    },
  })
  return state
}

test('it waits, and then shows the request with its messages and a link', async () => {
  const state = service()
  renderInRouter('e1')
  expect(await screen.findByText('Waiting for the first request…')).toBeTruthy()
  state.requests = [request]
  expect(await screen.findByText('Received: 200, 5 credits')).toBeTruthy()
  expect(screen.getByRole('status').textContent).toMatch(/in 1\.2 s\. 95 credits left\./)
  expect(screen.getByText('Hello!')).toBeTruthy()
  expect(screen.getByText('Good day.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'View request' }).getAttribute('href')).toBe('/activity/requests?id=r1')
  expect(screen.queryByText(/^Waiting/)).toBeNull()
  expect(new Set(state.asked.map((filter) => JSON.stringify(filter)))).toEqual(new Set(['{"exportId":"e1"}']))
})

test('it polls once a second until a request was answered', () => {
  const after = (...nodes: object[]) =>
    pollInterval({ viewer: { requests: { nodes } } } as unknown as Whole<FirstRequestQuery>)
  expect(pollInterval()).toBe(1_000)
  expect(after()).toBe(1_000)
  expect(after(refused)).toBe(1_000)
  expect(after(refused, request)).toBe(false)
})

test('a refused request shows its reason, and the page keeps waiting', async () => {
  const state = service()
  state.requests = [refused]
  renderInRouter('e1')
  expect(await screen.findByText('Received: 402 insufficient_credits, free')).toBeTruthy()
  expect(screen.getByText('No credits are left.')).toBeTruthy()
  expect(screen.getByText(/^Add credits/)).toBeTruthy()
  expect(screen.getByText('Waiting for the next request…')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'View request' }).getAttribute('href')).toBe('/activity/requests?id=r2')
  state.requests = [refused, request]
  expect(await screen.findByText('Received: 200, 5 credits')).toBeTruthy()
  expect(screen.queryByText(/402/)).toBeNull()
})

test('"Nothing happens?" lists what to check, because requests with a wrong key are not shown', async () => {
  service()
  renderInRouter('e1')
  const button = await screen.findByRole('button', { name: 'Nothing happening?' })
  expect(button.getAttribute('aria-expanded')).toBe('false')
  await userEvent.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  await waitFor(() => expect(screen.getByText(/^401:/).closest('ul')?.hidden).toBe(false))
  expect(screen.getByText(/^402:/)).toBeTruthy()
  expect(screen.getByText(/check that the URL is/).textContent).toContain(`${window.location.origin}/v1/agent/chat`)
})
