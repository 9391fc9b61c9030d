import type { Page } from '@playwright/test'
import { fromMenu } from './support/menu'
import { chat } from './support/owner'
import { expect, signIn, test } from './support/test'

test('a draft of one owner is never shown to another', async ({ page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ instructions: 'Saved.' })
  await page.goto(`/agents/${agent.id}?node=agent`)
  await page.getByRole('textbox', { name: 'Instructions' }).fill('A secret draft.')
  await owner.gql('mutation { signOutEverywhere { ok } }')
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/\/login\?next=/)
  await signIn(page)
  await expect(page.getByRole('alert')).toContainText('This does not exist')
  await expect(page.getByText('A secret draft.')).toHaveCount(0)
})

test('acceptance 14: drafts save themselves, and two tabs overwrite nothing of each other', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', instructions: 'One.\nTwo.\nThree.' })
  const draft = async () => {
    const { agent: found } = await owner.gql<{ agent: { instructions: string } }>(
      `{ agent(id: "${agent.id}") { instructions } }`,
    )
    return found.instructions
  }
  const text = (tab: Page) => tab.getByRole('textbox', { name: 'Instructions' })
  const state = (tab: Page) => tab.getByTestId('save-state')
  const other = await page.context().newPage()
  for (const tab of [page, other]) {
    await tab.goto(`/agents/${agent.id}?node=agent`)
    await expect(state(tab)).toHaveText('Saved')
  }
  await text(page).fill('One!\nTwo.\nThree.')
  await expect(state(page)).toHaveText('Saving…')
  await expect(state(page)).toHaveText('Saved')
  await expect.poll(draft).toBe('One!\nTwo.\nThree.')

  // Other lines are put together by themselves.
  await text(other).fill('One.\nTwo.\nThree!')
  await expect.poll(draft).toBe('One!\nTwo.\nThree!')
  await expect(text(other)).toHaveValue('One!\nTwo.\nThree!')

  // The same line is asked about, and nothing is overwritten before.
  await text(page).fill('One!\nMine.\nThree.')
  await expect.poll(draft).toBe('One!\nMine.\nThree!')
  await text(other).fill('One!\nYours.\nThree!')
  const dialog = other.getByRole('dialog', { name: '“Order desk” was changed elsewhere' })
  await expect(dialog.getByRole('list', { name: 'Instructions, line 2' })).toContainText('Mine.')
  expect(await draft()).toBe('One!\nMine.\nThree!')
  await dialog.getByText('Both').click()
  await dialog.getByRole('button', { name: 'Save this' }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(draft).toBe('One!\nMine.\nYours.\nThree!')

  // Publishing takes what was just typed.
  await text(other).press('Control+End')
  await other.keyboard.type(' Last.')
  await other.getByRole('button', { name: 'Publish', exact: true }).click()
  await other.getByRole('button', { name: 'Publish version 2' }).click()
  await expect(other.getByRole('alert').filter({ hasText: 'Version 2 is live for callers now' })).toBeVisible()
  expect(await draft()).toBe('One!\nMine.\nYours.\nThree! Last.')
})

test('deleting an agent names what stops, and it stops', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk' })
  const { apiKey } = await owner.newExport(agent.id)
  await owner.newExport(agent.id)
  await page.goto(`/agents/${agent.id}`)
  await fromMenu(page, 'Delete agent')
  const dialog = page.getByRole('dialog', { name: 'Delete agent “Order desk”?' })
  await expect(dialog).toContainText('Its 2 API exports stop working immediately. Its conversations are deleted too.')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  expect((await chat(apiKey, 'Hello')).status).toBe(200)
  await fromMenu(page, 'Delete agent')
  await dialog.getByRole('button', { name: 'Delete agent' }).click()
  await expect(page).toHaveURL(/\/agents$/)
  await expect(page.getByRole('alert').filter({ hasText: 'Agent “Order desk” deleted' })).toBeVisible()
  await expect(page.getByText('No agents yet')).toBeVisible()
  expect((await chat(apiKey, 'Hello')).status).toBe(401)
})
