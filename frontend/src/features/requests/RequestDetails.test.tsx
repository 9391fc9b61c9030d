import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { draftKey, readDraft } from '@/shared/drafts'
import { session } from '@/shared/gql'
import { remember, remembered } from '@/shared/remembered'
import { inMinutes } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'
import { renderPage } from '@/testing/renderPage'
import { agent, listed, opener, type Row, requests, service } from './testing'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.forget())

test('a refused request says what was wrong and what to do, and is an address of its own', async () => {
  service()
  const { router } = renderPage('/activity/requests?outcome=REFUSED')
  await userEvent.click(await screen.findByRole('link', { name: 'The account does not have enough credits.' }))
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByText('The account does not have enough credits.')).toBeTruthy()
  expect(panel.getByText(/^Add credits/)).toBeTruthy()
  expect(panel.getByText('The text of rejected calls is never stored.')).toBeTruthy()
  expect(panel.getByText('<img src=x>')).toBeTruthy()
  expect(router.state.location.search).toEqual({ outcome: 'REFUSED', id: 'refused-1' })
  await userEvent.click(panel.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(router.state.location.search).toEqual({ outcome: 'REFUSED' })
  await waitFor(() => expect(document.activeElement).toBe(opener('refused-1')))
})

test('an answered request shows its texts and where its time went, and leads to its turn', async () => {
  service()
  renderPage('/activity/requests?id=answered-1')
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByText('1.2 s total')).toBeTruthy()
  expect(panel.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Queued 150 ms',
    'Model 1.0 s',
    'Service 90 ms',
  ])
  const reply = within(panel.getByRole('group', { name: 'Reply' }))
  expect((await reply.findByText('sí')).tagName).toBe('STRONG')
  await userEvent.click(reply.getByRole('button', { name: 'Raw' }))
  expect(reply.getByText('Claro que **sí**.')).toBeTruthy()
  expect(within(panel.getByRole('group', { name: 'Message' })).getByText(/^¿Puedo cambiar/)).toBeTruthy()
  expect(panel.getByRole('link', { name: 'wa-346, turn 2' }).getAttribute('href')).toBe(
    '/activity/conversations/c1?turn=2',
  )
  expect(panel.getByRole('link', { name: 'version 3' }).getAttribute('href')).toContain('/versions?open=3')
  expect(panel.getByText('0193f5a0…0000abcd').getAttribute('title')).toBe('0193f5a0-0000-7000-8000-00000000abcd')
  expect(panel.getByRole('button', { name: 'Copy the request ID' })).toBeTruthy()
})

test('a failed request says why there is no reply', async () => {
  service()
  renderPage('/activity/requests?id=failed-1')
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByText(/^The model took too long\. Not charged/)).toBeTruthy()
  expect(panel.getByText(/^No reply\.$/)).toBeTruthy()
  expect(panel.getByText('Background')).toBeTruthy()
  expect(panel.getByRole('group', { name: 'Message' })).toBeTruthy()
})

test.each([
  [400, 'model_error', '<b>•••</b> is [no](x) key', '<b>•••</b> is [no](x) key'],
  [413, 'model_error', null, 'The provider sent no details.'],
  [429, 'model_unavailable', null, 'Details go to the operator of this service.'],
])('a provider’s %d is shown plainly, and how long the model took', async (status, code, message, shown) => {
  const failed = { ...(requests[1] as Row), code, model: 'openai/gpt', waitedMs: 5, modelMs: 54_000 }
  const turn = { ...(requests[1]?.turn as object), providerError: { status, code: 'tokens', message } }
  service([{ ...failed, turn }])
  renderPage('/activity/requests?id=failed-1')
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByRole('heading', { name: 'Provider’s response' })).toBeTruthy()
  expect(panel.getByText(`openai returned ${status} tokens`)).toBeTruthy()
  expect(panel.getByText(shown)).toBeTruthy()
  expect(panel.getByText('Model 54.0 s')).toBeTruthy()
})

test('an ID that nobody has used says so', async () => {
  service()
  renderPage('/activity/requests?id=made-up')
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByText('Request not found')).toBeTruthy()
  expect(panel.getByRole('link', { name: 'All requests' }).getAttribute('href')).toBe('/activity/requests')
})

test('J and K go through the rows and through what they open, Escape goes back to the row', async () => {
  service()
  const { router } = renderApp('/activity/requests')
  await listed()
  await userEvent.keyboard('j')
  expect(document.activeElement).toBe(opener('refused-1'))
  await userEvent.keyboard('jj')
  expect(document.activeElement).toBe(opener('answered-1'))
  await userEvent.keyboard('k{Enter}')
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByText(/^The model took too long/)).toBeTruthy()
  await userEvent.keyboard('j')
  expect(await panel.findByText('1.2 s total')).toBeTruthy()
  expect(router.state.location.search).toEqual({ id: 'answered-1' })
  expect(panel.getByRole('button', { name: 'Next request' })).toHaveProperty('disabled', true)
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(opener('answered-1')))
  expect(router.state.location.search).toEqual({})
  // A letter in a field is a letter.
  await userEvent.type(screen.getByLabelText('Search requests'), 'jk')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a failure leads to more like it and to Try, with the message in a new chat', async () => {
  const { counted } = service()
  remember(agent.id, 'an-older-chat')
  const { router } = renderPage('/activity/requests?id=failed-1')
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  const more = await panel.findByRole('link', { name: '31 more like this in the last hour' })
  const { from, to } = counted.find(({ groupBy }) => `${groupBy}` === 'STATUS') ?? {}
  await userEvent.click(panel.getByRole('link', { name: 'Open in Try' }))
  await waitFor(() => expect(router.state.location.href).toContain(`/agents/${agent.id}?try=window`))
  expect(readDraft(draftKey(agent.id, 'try'))).toMatchObject({ values: { message: 'Do you have tea?' } })
  expect(remembered(agent.id)).toBeUndefined()
  expect(new URL(more.getAttribute('href') ?? '', 'http://x').searchParams.toString()).toBe(
    new URLSearchParams({
      code: 'model_timeout',
      agentId: agent.id,
      since: String(from),
      until: String(to),
    }).toString(),
  )
})
