import type { Page } from '@playwright/test'
import { grant } from './support/accounts'
import { channels, copied, createDialog } from './support/channels'
import { type Runtime, run, runtimes } from './support/runtimes'
import { expect, long, test } from './support/test'

/** Where the command is pasted. */
const [shell] = runtimes as [Runtime]

/** Counts what a person presses on the page. */
async function countClicks(page: Page) {
  await page.addInitScript(() => {
    Object.assign(window, { clicks: 0 })
    const count = ({ isTrusted, detail }: MouseEvent) => {
      if (isTrusted && detail > 0) Object.assign(window, { clicks: Reflect.get(window, 'clicks') + 1 })
    }
    addEventListener('click', count, true)
  })
  return () => page.evaluate(() => Reflect.get(window, 'clicks') as number)
}

const asCopied = async (page: Page) => {
  const command = await copied(page, page.getByRole('button', { name: 'Copy command' }))
  expect(command.split('\n').length).toBeLessThanOrEqual(5)
  return command
}

test('acceptance 20: from an empty account to a received call in at most nine clicks', async ({
  strictPage: page,
  newOwner,
}) => {
  const clicks = await countClicks(page)
  await newOwner()
  await page.goto('/')
  await page.getByRole('button', { name: 'Create agent: Customer support' }).click()
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByRole('dialog')).toContainText('for testing')
  await page.getByRole('button', { name: /^Publish version 1/ }).click()
  const next = page.getByRole('region', { name: 'Next: create an API export' })
  await next.getByRole('link', { name: 'Create API Export' }).click()
  await channels(page).getByRole('button', { name: 'Create API Export' }).click()
  await createDialog(page).getByRole('button', { name: 'Create API Export' }).click()
  await expect(page.getByText('Waiting for the first request…')).toBeVisible()
  const apiKey = await copied(page, page.getByRole('button', { name: 'Copy key' }))
  const command = await asCopied(page)
  expect(command).toContain('Bearer $AGENTCHAT_API_KEY')
  expect(await clicks()).toBeLessThanOrEqual(9)

  const { output } = await run(shell, command, apiKey)
  const ended = Date.now()
  expect(output).toContain('"reply"')
  await expect(page.getByText('Received: 200, 1 credit')).toBeVisible({ timeout: 2_000 })
  expect(Date.now() - ended).toBeLessThan(2_000)
  const reply = (JSON.parse(output) as { reply: string }).reply
  await expect(page.getByRole('group', { name: 'Reply' })).toContainText(reply)
  await page.getByRole('button', { name: 'I’ve saved the key' }).click()
  await page.getByRole('link', { name: 'View request' }).click()
  await expect(page.getByRole('complementary', { name: 'Request' })).toContainText('customer-42')
})

test(
  'Home waits for the first call too, shows why one was refused, and then leads to the figures',
  long,
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner({ credits: 0 })
    const agent = await owner.newAgent({ model: 'sandbox/assistant' })
    const { apiKey } = await owner.newExport(agent.id)
    await page.goto('/')
    await expect(page.getByText('Waiting for the first request…')).toBeVisible()
    await page.getByRole('button', { name: 'Nothing happening?' }).click()
    await expect(page.getByText('401: the key is wrong')).toBeVisible()
    const command = await asCopied(page)
    expect(command).toContain('Bearer $AGENTCHAT_API_KEY')
    const refused = await run(shell, command, apiKey)
    expect(refused.output).toContain('insufficient_credits')
    await expect(page.getByText('Received: 402 insufficient_credits, free')).toBeVisible({ timeout: 2_000 })
    await expect(page.getByText('Waiting for the next request…')).toBeVisible()
    grant(owner.account, 10, 'More')
    await run(shell, command, apiKey)
    await expect(page.getByText('Received: 200, 1 credit')).toBeVisible({ timeout: 2_000 })
    await page.getByRole('button', { name: 'Show them now' }).click()
    await expect(page.getByRole('region', { name: 'Last 24 hours' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'First steps' })).toHaveCount(0)
  },
)

test('a notice does not cover Send, wide, narrow and on a phone @long', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  for (const [width, height] of [
    [1280, 800],
    [900, 700],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    const agent = await owner.newAgent({ publish: false })
    await page.goto(`/agents/${agent.id}`)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('button', { name: /^Publish version 1/ }).click()
    const notice = page.getByRole('group').filter({ hasText: 'Version 1 is live' })
    await expect(notice).toBeVisible()
    const send = page.getByRole('button', { name: 'Send' })
    if (await send.isVisible()) expect(overlap(await notice.boundingBox(), await send.boundingBox())).toBe(false)
  }
})

type Box = { x: number; y: number; width: number; height: number } | null

function overlap(a: Box, b: Box): boolean {
  if (!a || !b) return false
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
