import type { Page } from '@playwright/test'
import { expect } from '../../support/test'
import { asking, askNote, askStatus } from '../acting'
import { agent, type State, send, transcript } from '../state'

const form = (page: Page) => page.getByRole('form', { name: 'Results of the waiting actions' }).last()
const ask = async (page: Page, ...actions: string[]) => {
  await send(page, asking('Where is my parcel?', ...actions))
  await expect(form(page)).toBeVisible()
}
const several = [askStatus, 'opening_hours', askNote]

/** Fills in the results of several actions; the second one failed. */
const fill = async (page: Page) => {
  await form(page).getByLabel('Result of order_status').fill('{"state": "shipped"}')
  await form(page).getByRole('radiogroup', { name: 'Outcome of opening_hours' }).getByText('Failed').click()
  await form(page).getByLabel('Error of opening_hours').fill('The shop does not say.')
  await form(page)
    .getByLabel(/^Result of note/)
    .fill('null')
}
const inTry = (name: string, open: State['open'], path = '?try=window'): State => ({
  name: `try-${name}`,
  route: '/agents/$id',
  as: 'acting',
  path: agent(path),
  open,
})
const inTranscript = (name: string, open?: State['open']): State => ({
  name: `conversation-${name}`,
  route: '/activity/conversations/$id',
  as: 'acting',
  path: transcript,
  open,
})

/** Opens everything that is folded, and what the model saw after results. */
const unfold = async (page: Page) => {
  await page.getByRole('button', { name: 'What the model saw' }).nth(4).click()
  await expect(page.getByText('Instructions as sent')).toBeVisible()
  const folded = page.locator('details:not([open]) > summary')
  while ((await folded.count()) > 0) await folded.first().click()
}

/** The actions that an agent requests, and their outcomes. */
export const actions: State[] = [
  inTry('action', (page) => ask(page, askStatus)),
  inTry('actions', async (page) => {
    await ask(page, ...several)
    await form(page).getByRole('button', { name: 'Send results' }).click()
    await expect(form(page).getByText(/^Enter one JSON value/)).toHaveCount(3)
  }),
  inTry('actions-answered', async (page) => {
    await ask(page, ...several)
    await fill(page)
    await form(page).getByRole('button', { name: 'Send results' }).click()
    await expect(page.getByText('Matches the schema', { exact: true })).toBeVisible()
  }),
  inTry('actions-closed', async (page) => {
    await ask(page, ...several)
    await page.getByRole('textbox', { name: 'Message' }).fill('Never mind. [[sandbox fail=unavailable first]]')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Not run').first()).toBeVisible()
  }),
  inTry('misfit', async (page) => {
    await send(page, 'Where is my parcel? [[sandbox output=misfit]]')
    await expect(page.getByText('Reply that didn’t match').first()).toBeVisible()
  }),
  inTry(
    'compare-actions',
    async (page) => {
      await send(page, asking('Where is my parcel?', askStatus, 'opening_hours'))
      await expect(page.getByRole('form', { name: 'Results of the waiting actions' })).toHaveCount(2)
    },
    '?try=compare',
  ),
  inTranscript('actions'),
  inTranscript('actions-unfolded', unfold),
]
