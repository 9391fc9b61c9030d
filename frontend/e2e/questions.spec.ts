import type { Page } from '@playwright/test'
import { chat, type Owner } from './support/owner'
import { inParallel } from './support/parallel'
import { expect, full, test } from './support/test'
import { trouble } from './support/trouble'

const otherAgents = 23
const turnsEach = 10
/** Makes messages as long as people write them: a search for what nobody said then takes longer than one answer may. */
const details = ' Here is what has happened since I ordered it.'.repeat(30)

/** The agents that a busy account has beside those in trouble, and what their callers have asked: the same number of each agent. */
async function crowd(owner: Owner, turns: number) {
  const agents = Array.from({ length: otherAgents }, (_, at) => at)
  const keys = await inParallel(agents, 4, async (at) => {
    const agent = await owner.newAgent({ name: `Agent ${at}`, publish: turns > 0 })
    return turns > 0 ? (await owner.newExport(agent.id, `Shop ${at}`)).apiKey : ''
  })
  const conversations = Array.from({ length: Math.ceil(turns / turnsEach) }, (_, at) => at)
  await inParallel(conversations, 16, async (at) => {
    for (let turn = 0; turn < turnsEach; turn++) {
      const { status } = await chat(
        keys[at % otherAgents] ?? '',
        `Question ${turn} of customer ${at}.${details}`,
        `visit-${at}`,
      )
      if (status !== 200) throw new Error(`A message was answered with ${status}`)
    }
  })
}

for (const turns of [0, 100_000]) {
  test(
    `acceptance 19 and 24: each daily question takes one click and at most one word, with ${turns} other messages`,
    full(),
    async ({ page, newOwner }) => {
      test.setTimeout(turns > 0 ? 1_200_000 : 60_000)
      const owner = await newOwner()
      await crowd(owner, turns)
      await trouble(owner)
      await isWorking(page)
      const id = await page.getByRole('row').nth(1).getByRole('link').innerText()
      await whatItCosts(page, turns + 6)
      await whyItFailed(page, id)
      await whatPeopleSay(page)
      await whatChanged(page)
      await wordsAreFound(page, turns > 0 ? { timeout: 1_000 } : {})
      if (turns > 0) await searchIsStopped(page)
    },
  )
}

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })

async function isWorking(page: Page) {
  await page.goto('/')
  await page.getByRole('link', { name: /^Success rate/ }).click()
  await expect(page.getByText('3 requests', { exact: true })).toBeVisible()
}

async function whatItCosts(page: Page, messages: number) {
  await page.goto('/')
  await page.getByRole('link', { name: /^Messages/ }).click()
  await expect(page.getByText(`credits, ${messages.toLocaleString('en')} messages`)).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Order desk' })).toContainText('83.3 %')
}

async function whyItFailed(page: Page, id: string) {
  await page.goto('/')
  await menu(page).getByRole('link', { name: 'Requests' }).click()
  await page.getByLabel('Request ID or session ID').fill(id)
  await expect(page.getByText('1 request', { exact: true })).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toContainText('model_error')
}

async function whatPeopleSay(page: Page) {
  await page.goto('/')
  await page.getByRole('link', { name: 'All conversations' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'My parcel is broken' })).toBeVisible()
}

/** Of an agent with much use: Home lists those first. */
async function whatChanged(page: Page) {
  await page.goto('/')
  await page
    .getByRole('link', { name: /^Versions of/ })
    .first()
    .click()
  await expect(page.getByText('Version 1').first()).toBeVisible()
}

async function wordsAreFound(page: Page, soon: { timeout?: number }) {
  await page.goto('/conversations')
  const words = page.getByRole('searchbox', { name: 'Text' })
  await words.fill('broken')
  await words.press('Enter')
  await expect(page.getByRole('status').getByText(/^1 conversation found/)).toBeVisible(soon)
  await expect(page.locator('mark')).toHaveText('broken')
}

/** Of a word that nobody has said. */
async function searchIsStopped(page: Page) {
  await page.goto('/conversations?text=refund')
  const status = page.getByRole('status').filter({ hasText: 'found' })
  await expect(status).toContainText(/^Nothing found so far. Searched back to /)
  const first = (await status.textContent()) ?? ''
  await page.getByRole('button', { name: 'Search further' }).click()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(status).not.toHaveText(first) // the answer that was under way
}
