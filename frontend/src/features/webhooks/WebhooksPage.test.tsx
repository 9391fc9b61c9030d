import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))

const id = '00000000-0000-4000-8000-000000000001'
const otherId = '00000000-0000-4000-8000-000000000002'
const url = 'https://example.com/hooks'
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
const webhook = {
  id,
  url,
  events: ['MESSAGE_COMPLETED', 'KEY_STOPS_SOON'],
  state: 'ON',
  createdBy: { kind: 'USER', actorId: 'u1', name: 'ada@example.com' },
  createdAt: inMinutes(-60),
  failingSince: null as string | null,
  previousSecretUntil: null as string | null,
  dropped: 0,
}

const deliveryId = (at: number) => `00000000-0000-4000-8000-0000000001${String(at).padStart(2, '0')}`
const delivery = (at: number, changed: object = {}) => ({
  __typename: 'WebhookDelivery',
  id: deliveryId(at),
  event: 'KEY_STOPS_SOON',
  body: '{"type":"key.stops_soon","data":{"account_id":"1"}}',
  createdAt: inMinutes(-70),
  tries: 1,
  status: 200,
  tookMs: 120,
  error: null,
  sentAt: inMinutes(-60),
  nextTryAt: null,
  ...changed,
})

type Given = { role?: string; webhooks?: (typeof webhook)[]; deliveries?: object[]; off?: boolean }
type Page = { first: number; after?: string | null; failed?: boolean | null }

/** An account with webhooks and the deliveries of each, as a member sees it. It notes what is asked and changed. */
function service({ role = 'OWNER', webhooks = [webhook], deliveries = [], off = false }: Given = {}) {
  const state = { webhooks, deliveries, calls: [] as [string, unknown][], pages: [] as Page[], refuse: false }
  const mutation =
    <T,>(name: string, run: (input: { id: string }) => T) =>
    ({ input }: { input: { id: string } }) => {
      state.calls.push([name, JSON.parse(JSON.stringify(input))])
      if (state.refuse) throw refusal('CONFLICT', 'This webhook isn’t on. Resume it first.')
      return run(input)
    }
  const pageOf = (args: Page) => {
    state.pages.push({ ...args })
    const from = Number(args.after ?? 0)
    const found = state.deliveries.filter((one) => !args.failed || ('failed' in one && one.failed))
    const nodes = found.slice(from, from + 2) // smaller pages than were asked for
    return { nodes, pageInfo: { hasNextPage: from + 2 < found.length, endCursor: String(from + 2) } }
  }
  answer({
    serviceInfo: { ownerWebhooks: !off },
    viewer: {
      viewerRole: role,
      webhooks: () => {
        state.calls.push(['list', undefined])
        return state.webhooks
      },
    },
    node: ({ id }: { id: string }) => {
      const one = state.webhooks.find((one) => one.id === id)
      if (one) return { __typename: 'Webhook', ...one, deliveries: pageOf }
      return state.deliveries.find((one) => 'id' in one && one.id === id)
    },
    createWebhook: mutation('create', (input) => {
      state.webhooks = [...state.webhooks, { ...webhook, ...input, id: otherId }]
      return { webhook: state.webhooks.at(-1), secret }
    }),
    updateWebhook: mutation('update', ({ id: _, ...change }: { id: string; paused?: boolean }) => {
      state.webhooks = [{ ...webhook, ...change, state: change.paused ? 'PAUSED' : 'ON' }]
      return { webhook: state.webhooks[0] }
    }),
    rotateWebhookSecret: mutation('rotate', () => ({ webhook, secret })),
    deleteWebhook: mutation('delete', ({ id }) => {
      state.webhooks = []
      return { deletedWebhookId: id }
    }),
    testWebhook: mutation('test', () => {
      state.deliveries = [delivery(9, { event: 'WEBHOOK_TEST', sentAt: null, nextTryAt: inMinutes(0) })]
      return { delivery: state.deliveries[0] }
    }),
    retryWebhookDelivery: mutation('retry', () => ({ delivery: state.deliveries[0] })),
  })
  const changes = () => state.calls.filter(([name]) => name !== 'list')
  return { state, changes }
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const rows = async () =>
  within(await screen.findByRole('region', { name: 'Deliveries' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent))

test('an owner adds a webhook, whose secret is shown once', async () => {
  const { changes } = service({ webhooks: [] })
  const { queryClient } = renderPage('/settings/webhooks')
  await screen.findByText('Notify your own server when something happens.')
  await press('Add webhook')
  const form = await dialog('Add webhook')
  await userEvent.type(form.getByLabelText('URL'), 'https://ada@example.com')
  await userEvent.click(form.getByRole('button', { name: 'Add webhook' }))
  expect(await form.findByText('Enter an https URL without a user name.')).toBeTruthy()
  expect(form.getByText('Select at least one event.')).toBeTruthy()
  await userEvent.clear(form.getByLabelText('URL'))
  await userEvent.type(form.getByLabelText('URL'), ` ${url} `)
  await userEvent.click(form.getByRole('checkbox', { name: 'Credits low' }))
  await userEvent.click(form.getByRole('button', { name: 'Add webhook' }))
  const shown = within(await screen.findByRole('region', { name: `Secret of “${url}”` }))
  expect(shown.getByText(secret)).toBeTruthy()
  expect(changes()).toEqual([['create', { url, events: ['CREDITS_LOW'] }]])
  const cached = queryClient.getQueryCache().getAll()
  expect(JSON.stringify(cached.map((query) => query.state.data))).not.toContain(secret)
  await userEvent.click(shown.getByRole('button', { name: 'I’ve saved the secret' }))
  expect(screen.queryByText(secret)).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Webhooks' }))
  expect(screen.getByRole('link', { name: url }).getAttribute('href')).toBe(`/settings/webhooks?id=${otherId}`)
})

test('the list shows the state of each webhook, and five are the most', async () => {
  const failingSince = '2026-01-31T12:00:00Z'
  service({
    webhooks: [
      webhook,
      { ...webhook, id: '2', failingSince },
      { ...webhook, id: '3', state: 'PAUSED' },
      { ...webhook, id: '4', state: 'FAILING', failingSince },
      { ...webhook, id: '5', state: 'STOPPED' },
    ],
  })
  renderPage('/settings/webhooks')
  await screen.findByText('An account can have up to 5 webhooks.')
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent?.split('key.stops_soon')[1])).toEqual([
    'On',
    'Failing since Jan 31, 2026',
    'Paused',
    'Turned off: failing since Jan 31, 2026',
    'Stopped by the operator',
  ])
  expect(screen.queryByRole('button', { name: 'Add webhook' })).toBeNull()
})

test('an owner pauses, changes, rotates and deletes a webhook', async () => {
  const { state, changes } = service({ webhooks: [{ ...webhook, previousSecretUntil: inMinutes(60), dropped: 1 }] })
  const { router } = renderPage(`/settings/webhooks?id=${id}`)
  await screen.findByText('1 event, because 1,000 were waiting')
  await press('Rotate secret')
  const rotation = await dialog(`Rotate the secret of “${url}”?`)
  rotation.getByText('The oldest secret stops working now.')
  await userEvent.click(rotation.getByRole('button', { name: 'Rotate secret' }))
  await screen.findByText(secret)
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
  await press('I’ve saved the secret')
  await press('Pause')
  await screen.findByText('Paused')
  expect(screen.queryByRole('button', { name: 'Send test event' })).toBeNull()
  await press('Resume')
  await screen.findByText('On')
  await press('Edit')
  const form = await dialog('Edit webhook')
  await userEvent.click(form.getByRole('checkbox', { name: 'Key expires soon' }))
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press('Delete')
  const deletion = await dialog(`Delete the webhook “${url}”?`)
  deletion.getByText('Waiting deliveries are dropped.')
  await userEvent.click(deletion.getByRole('button', { name: 'Delete' }))
  await screen.findByText('No webhooks yet')
  expect(router.state.location.search).toEqual({})
  expect(changes()).toEqual([
    ['rotate', { id }],
    ['update', { id, paused: true }],
    ['update', { id, paused: false }],
    ['update', { id, url, events: ['MESSAGE_COMPLETED'] }],
    ['delete', { id }],
  ])
  expect(state.webhooks).toEqual([])
})

test('deliveries come page by page, with the outcome of each, and alone those that failed', async () => {
  const none = { status: null, tookMs: null, sentAt: null }
  const { state } = service({
    deliveries: [
      delivery(1, { ...none, tries: 0, nextTryAt: inMinutes(-5) }),
      delivery(2),
      delivery(3, { ...none, error: 'TIMEOUT', tookMs: 10_000, nextTryAt: inMinutes(3) }),
      delivery(4, { ...none, error: 'STATUS', status: 500, tookMs: 80, failed: true }),
    ],
  })
  const { router } = renderPage(`/settings/webhooks?id=${id}`)
  const name = 'key.stops_soon'
  await waitFor(async () =>
    expect(await rows()).toEqual([
      [name, '', 'Waiting', '', 'Next attempt now', ''],
      [name, '1 hour ago', 'Delivered · 200', '120 ms', '', 'Resend'],
    ]),
  )
  await press('Show more')
  await waitFor(async () => expect(await rows()).toHaveLength(4))
  expect((await rows()).slice(2)).toEqual([
    [name, '', 'Waiting · Timed out', '10.0 s', 'Next attempt in 2 minutes', ''],
    [name, '', 'Failed · 500', '80 ms', '', 'Resend'],
  ])
  expect(state.pages.at(-1)).toEqual({ first: 20, after: '2' })
  await userEvent.click(screen.getByRole('radio', { name: 'Failed' }))
  await waitFor(async () => expect(await rows()).toHaveLength(1))
  expect(router.state.location.search).toEqual({ id, failed: true })
})

test('a delivery opens with the JSON that is posted, and is sent again', async () => {
  const { state, changes } = service({ deliveries: [delivery(1)] })
  const { router } = renderPage(`/settings/webhooks?id=${id}`)
  const link = await screen.findByRole('link', { name: 'key.stops_soon' })
  await userEvent.click(link)
  expect((await screen.findByRole('group', { name: 'Body' })).textContent).toContain('"account_id": "1"')
  expect(router.state.location.search).toEqual({ id, delivery: deliveryId(1) })
  await userEvent.click(link)
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Body' })).toBeNull())
  state.refuse = true
  await press('Resend key.stops_soon')
  expect(await screen.findByText('This webhook isn’t on. Resume it first.')).toBeTruthy()
  expect(changes()).toEqual([['retry', { id: deliveryId(1) }]])
})

test('an editor sends a test event and resends, but changes nothing', async () => {
  const { changes } = service({ role: 'EDITOR' })
  renderPage(`/settings/webhooks?id=${id}`)
  await screen.findByText('No deliveries yet')
  const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent)
  expect(buttons).toEqual(['Send test event'])
  await press('Send test event')
  await waitFor(async () => expect((await rows())[0]?.slice(0, 3)).toEqual(['webhook.test', '', 'Waiting']))
  expect(changes()).toEqual([['test', { id }]])
})

test('viewers see nothing, and nothing is asked for them', async () => {
  const { state } = service({ role: 'VIEWER' })
  renderPage('/settings/webhooks')
  await screen.findByText('Only owners and editors can do this.')
  expect(screen.queryByRole('link', { name: 'Webhooks' })).toBeNull()
  expect(state.calls).toEqual([])
})

test('where the operator has them off, nothing can be added', async () => {
  service({ off: true, webhooks: [] })
  renderPage('/settings/webhooks')
  await screen.findByText('Webhooks aren’t available on this service.')
  expect(screen.queryByRole('button', { name: 'Add webhook' })).toBeNull()
})

test('a stopped webhook cannot be changed, and a deleted one says so', async () => {
  service({ webhooks: [{ ...webhook, state: 'STOPPED' }] })
  const { router } = renderPage(`/settings/webhooks?id=${id}`)
  await screen.findByText('Stopped by the operator')
  expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  await router.navigate({ to: '/settings/webhooks', search: { id: deliveryId(1) } })
  await screen.findByText('It may have been deleted, or the link is wrong.')
})
