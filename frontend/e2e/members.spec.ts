import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from './support/test'

/** Invites somebody on the page of the members, and returns the link as far as it is the same at every address of the panel. */
async function invite(page: Page, email: string) {
  await page.goto('/settings/members')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  const { pathname, hash } = new URL(String(await page.getByTestId('invitation-link').textContent()))
  await dialog.getByRole('button', { name: 'Close' }).first().click()
  await expect(page.getByText(email)).toBeVisible()
  return pathname + hash
}

test('somebody is invited by a link, joins as a new user, is made a viewer, and is removed', async ({
  strictPage: page,
  newOwner,
  browser,
  baseURL,
}) => {
  const owner = await newOwner({ name: 'Northwind' })
  const agent = await owner.newAgent({ name: 'Desk' })
  const link = await invite(page, `bob-${randomUUID()}@example.com`)

  const context = await browser.newContext({ baseURL })
  const bob = await context.newPage()
  await bob.goto(link)
  await expect(bob.getByRole('heading', { level: 1 })).toHaveText(/^Join .*Northwind/)
  await bob.getByLabel('Your name').fill('Bob')
  await bob.getByLabel('Password', { exact: true }).fill('a password of this test')
  await bob.getByRole('button', { name: 'Join' }).click()
  await expect(bob).toHaveURL(/\/$/)
  await bob.goto(`/agents/${agent.id}`)
  await expect(bob.getByRole('button', { name: 'Send' })).toBeVisible()

  await page.reload()
  await expect(page.getByText('No pending invitations.')).toBeVisible()
  await page.getByRole('combobox', { name: /^Role of .*Bob/ }).selectOption('Viewer')
  await page.getByRole('dialog').getByRole('button', { name: 'Change to Viewer' }).click()
  await expect(page.getByText(/Bob.* is now .*Viewer/)).toBeVisible()
  await bob.reload()
  await expect(bob.getByText('View only.')).toBeVisible()
  await expect(bob.getByRole('button', { name: 'Send' })).toHaveCount(0)
  await bob.goto('/settings/members')
  await expect(bob.getByText('People with access to this account.')).toBeVisible()
  await expect(bob.getByRole('button', { name: 'Invite' })).toHaveCount(0)
  await bob.getByRole('link', { name: 'General' }).click()
  await expect(bob.getByRole('button', { name: 'Leave account' })).toBeVisible()

  await page.getByRole('button', { name: /^Remove .*Bob/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('combobox')).toHaveCount(1)
  // He is out while a page is open, with what it asks next.
  await expect(bob.getByRole('heading', { name: 'You have no account' })).toBeVisible()
  await bob.goto(link)
  await expect(bob.getByText('This link has expired')).toBeVisible()
  await context.close()
})

test('in two tabs with two accounts, neither finds a mark of the other', async ({ page, newOwner }) => {
  const owner = await newOwner({ name: 'Alder' })
  const { viewer } = await owner.gql<{ viewer: { id: string } }>('{ viewer { id } }')
  const { createAccount } = await owner.gql<{ createAccount: { account: { accountId: string } } }>(
    'mutation { createAccount(input: { name: "Birch" }) { account { accountId } } }',
  )
  const accounts = { alder: viewer.id, birch: createAccount.account.accountId }
  const agents: Record<string, string> = {}
  for (const [mark, id] of Object.entries(accounts)) {
    const there = owner.inAccount(id)
    const agent = await there.newAgent({ name: `Desk of ${mark}`, instructions: `Work for ${mark}, of-${mark}.` })
    await there.newExport(agent.id, `Shop of-${mark}`)
    await there.sendTestMessage(agent.id, `Hello of-${mark}`, `session-of-${mark}`)
    agents[mark] = agent.id
  }

  // The first tab switches from the first account in its menu; the second tab starts in that account.
  const other = await page.context().newPage()
  await page.goto('/agents')
  await page.getByRole('button', { name: /^Switch account from .*Alder/ }).click()
  await page.getByRole('menuitem', { name: /Birch/ }).click()
  await expect(page.getByRole('button', { name: /^Switch account from .*Birch/ })).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  await other.goto('/')
  await expect(other.getByRole('button', { name: /^Switch account from .*Birch/ })).toBeVisible()
  await other.getByRole('button', { name: /^Switch account from/ }).click()
  await other.getByRole('menuitem', { name: /Alder/ }).click()
  await expect(other.getByRole('button', { name: /^Switch account from .*Alder/ })).toBeVisible()

  const lists = [
    '/',
    '/agents',
    '/activity/conversations?time=all',
    '/activity/requests?time=all',
    '/activity/people?time=all',
    '/exports',
    '/settings/members',
  ]
  const found: string[] = []
  const watch = (tab: Page, foreign: string) =>
    tab.on('response', async (response) => {
      if (!response.url().endsWith('/graphql')) return
      const text = await response.text().catch(() => '')
      if (text.includes(`of-${foreign}`) || text.includes(`Desk of ${foreign}`)) found.push(text)
    })
  watch(page, 'alder')
  watch(other, 'birch')
  for (const path of [...lists, '/usage/credits', `/agents/${agents.birch}`]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await page.locator('main').textContent(), path).not.toMatch(/of-alder|Desk of alder/)
  }
  for (const path of ['/', `/agents/${agents.alder}`]) {
    await other.goto(path)
    await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
    await other.waitForLoadState('networkidle')
    expect(await other.locator('main').textContent(), path).not.toMatch(/of-birch|Desk of birch/)
  }
  expect(found).toEqual([])

  // What is of the other account is not there, and Back does not bring it.
  await page.goto(`/agents/${agents.alder}`)
  await expect(page.getByText('Agent not found')).toBeVisible()
  await page.goto('/agents')
  await expect(page.getByText('Desk of birch')).toBeVisible()
  await page.getByRole('button', { name: /^Switch account from/ }).click()
  await page.getByRole('menuitem', { name: /Alder/ }).click()
  await expect(page.getByRole('button', { name: /^Switch account from .*Alder/ })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Desk of alder')).toBeVisible()
  await expect(page.getByText('Desk of birch')).toHaveCount(0)
})
