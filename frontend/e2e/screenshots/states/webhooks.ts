import type { Page } from '@playwright/test'
import { expect } from '../../support/test'
import { answered, at, press, type State } from '../state'
import { unknownId } from '../world'

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

const webhook = (id: string, url: string, changed: object = {}) => ({
  id,
  url,
  events: ['MESSAGE_COMPLETED', 'MESSAGE_FAILED', 'KEY_STOPS_SOON'],
  state: 'ON',
  createdBy: { name: 'ada@example.com' },
  createdAt: ago(900),
  failingSince: null,
  previousSecretUntil: null,
  dropped: 0,
  ...changed,
})

const crm = webhook(unknownId, 'https://crm.example.com/agentchat', {
  previousSecretUntil: ago(-20),
  dropped: 1_204,
})
const some = [
  crm,
  webhook('2', 'https://status.example.com/hooks', {
    events: ['CREDITS_LOW', 'CREDITS_USED_UP'],
    failingSince: ago(9),
  }),
  webhook('3', `https://example.com/${'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(3)}`, {
    state: 'PAUSED',
  }),
  webhook('4', 'https://old.example.com/', { state: 'FAILING', failingSince: ago(90) }),
  webhook('5', 'https://abuse.example.com/', { state: 'STOPPED', createdBy: null }),
]

const sent = { status: 200, tookMs: 184, error: null, sentAt: ago(1), nextTryAt: null }
const none = { status: null, tookMs: null, error: null, sentAt: null, nextTryAt: null }
const deliveries = [
  { event: 'WEBHOOK_TEST', ...none, nextTryAt: ago(0) },
  { event: 'MESSAGE_COMPLETED', ...none, tookMs: 10_000, error: 'TIMEOUT', nextTryAt: ago(-1) },
  { event: 'KEY_STOPS_SOON', ...sent },
  { event: 'MESSAGE_COMPLETED', ...none, status: 503, tookMs: 12, error: 'STATUS' },
  { event: 'MESSAGE_FAILED', ...none, tookMs: 41, error: 'ADDRESS' },
].map((one, n) => ({
  __typename: 'WebhookDelivery',
  id: `019ad0c2-7f9e-7cc3-9c40-${String(n).padStart(12, '0')}`,
  ...one,
}))

const body = {
  type: 'message.completed',
  timestamp: ago(2),
  data: { account_id: unknownId, messages: [{ message_id: unknownId, conversation_id: unknownId, credits: 2 }] },
}

/** Answers as an account with webhooks would, where the operator has them on. */
async function withWebhooks(page: Page, webhooks: object[], nodes: object[] = deliveries) {
  const node = { __typename: 'Webhook', id: unknownId, deliveries: { nodes, pageInfo: { hasNextPage: false } } }
  const opened = { ...deliveries[1], tries: 2, createdAt: ago(2), body: JSON.stringify(body) }
  await answered(page, 'WebhookDelivery', { data: { node: opened } })
  await answered(page, 'WebhookDeliveries', { data: { node } })
  await answered(page, 'Webhooks', {
    data: { serviceInfo: { ownerWebhooks: true }, viewer: { id: unknownId, webhooks } },
  })
  await page.reload()
}

const list = { route: '/settings/webhooks', as: 'ada', path: at('/settings/webhooks') } as const
const one = { ...list, path: at(`/settings/webhooks?id=${unknownId}`) }

export const webhooks: State[] = [
  { ...list, name: 'webhooks-off' },
  { ...list, name: 'webhooks-empty', open: (page) => withWebhooks(page, []) },
  { ...list, name: 'webhooks', open: (page) => withWebhooks(page, some) },
  {
    ...list,
    name: 'webhooks-add',
    open: async (page) => {
      await withWebhooks(page, [crm])
      await press('Add webhook')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click()
      await expect(page.getByText('Select at least one event.')).toBeVisible()
    },
  },
  {
    ...one,
    name: 'webhooks-secret',
    open: async (page) => {
      await withWebhooks(page, [crm])
      const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
      await answered(page, 'RotateWebhookSecret', { data: { rotateWebhookSecret: { secret, webhook: crm } } })
      await press('Rotate secret')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
      await expect(page.getByText(secret)).toBeVisible()
    },
  },
  { ...one, name: 'webhooks-one', open: (page) => withWebhooks(page, [crm]) },
  { ...one, name: 'webhooks-none-sent', open: (page) => withWebhooks(page, [crm], []) },
  {
    ...one,
    name: 'webhooks-delivery',
    open: async (page) => {
      await withWebhooks(page, [crm])
      await page.getByRole('link', { name: 'message.completed' }).first().click()
      await expect(page.getByRole('group', { name: 'Body' })).toBeVisible()
    },
  },
  { ...one, name: 'webhooks-gone', open: (page) => withWebhooks(page, []) },
]
