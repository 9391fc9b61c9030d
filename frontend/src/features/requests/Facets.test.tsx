import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { inMinutes } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'
import { agent, listed, requests, row, service } from './testing'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.forget())

test('errors are grouped by code with how often they came, and a group is a filter', async () => {
  const { asked, counted } = service(requests, undefined, true)
  const { router } = renderPage(`/activity/requests?agentId=${agent.id}&userId=maria`)
  await listed()
  const group = await screen.findByRole('link', { name: '504 model_timeout 31' })
  const names = within(screen.getByRole('list', { name: 'Result' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent)
  expect(names).toEqual([
    'All62',
    'Answered9',
    'Failed31',
    'Rejected22',
    '504 model_timeout31',
    '402 insufficient_credits22',
  ])
  expect(counted.find(({ groupBy }) => `${groupBy}` === 'STATUS,AGENT')).toMatchObject({
    agentId: agent.id,
    userId: 'maria',
    source: 'API',
  })
  await userEvent.click(group)
  await waitFor(() => expect(asked.at(-1)?.filter).toMatchObject({ code: 'model_timeout' }))
  await waitFor(() => expect(row('refused-1')).toBeNull())
  expect(group.getAttribute('aria-current')).toBe('page')
  await userEvent.click(screen.getByRole('link', { name: /^Rejected/ }))
  await waitFor(() => expect(asked.at(-1)?.filter).toMatchObject({ outcome: 'REFUSED' }))
  expect(router.state.location.search).toEqual({ agentId: agent.id, userId: 'maria', outcome: 'REFUSED' })
})

test('the filters stand in the address and go to the service', async () => {
  const { asked } = service()
  const { router } = renderPage('/activity/requests')
  await listed()
  await userEvent.click(screen.getByRole('link', { name: /^Failed/ }))
  await userEvent.type(screen.getByLabelText('Search requests'), 'order-7')
  await waitFor(() => expect(asked.at(-1)?.filter).toEqual({ outcome: 'FAILED', search: 'order-7' }))
  expect(router.state.location.search).toEqual({ outcome: 'FAILED', search: 'order-7' })
  // What a search finds is not counted.
  expect(screen.getByRole('link', { name: '504 model_timeout' })).toBeTruthy()
  await userEvent.click(within(screen.getByRole('search')).getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
  expect(await screen.findByRole('link', { name: 'Do you have tea?' })).toBeTruthy()
})

test('a search takes words and IDs, and an ID wins', async () => {
  const { asked } = service()
  renderPage('/activity/requests?search=tea')
  await listed()
  expect(screen.getByText('1 request')).toBeTruthy()
  expect(asked.map(({ filter }) => filter)).toEqual([{ text: 'tea' }, { search: 'tea' }])
  await userEvent.clear(screen.getByLabelText('Search requests'))
  await userEvent.type(screen.getByLabelText('Search requests'), 'wa-346')
  await waitFor(() => expect(row('answered-1')).toBeTruthy())
  expect(row('failed-1')).toBeNull()
})

test('an agent in the address is a filter that can be changed', async () => {
  const { asked } = service()
  const { router } = renderPage(`/activity/requests?agentId=${agent.id}&outcome=FAILED`)
  const filter = await screen.findByRole('combobox', { name: 'Agent' })
  await waitFor(() => expect(filter).toHaveProperty('value', 'Shop help'))
  expect(asked.at(-1)?.filter).toEqual({ agentId: agent.id, outcome: 'FAILED' })
  await userEvent.click(filter)
  await userEvent.click(await screen.findByRole('option', { name: 'all', hidden: true }))
  await waitFor(() => expect(asked.at(-1)?.filter).toEqual({ outcome: 'FAILED' }))
  expect(router.state.location.search).toEqual({ outcome: 'FAILED' })
})
