import { fromMenu } from './support/menu'
import { chat } from './support/owner'
import { expect, signIn, test } from './support/test'

test('a draft of one owner is never shown to another', async ({ page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ instructions: 'Saved.' })
  await page.goto(`/agents/${agent.id}?node=agent`)
  await page.getByRole('textbox', { name: 'Instructions' }).fill('A secret draft.')
  await owner.gql('mutation { signOutEverywhere { ok } }')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page).toHaveURL(/\/login\?next=/)
  await signIn(page)
  await expect(page.getByRole('alert')).toContainText('This does not exist')
  await expect(page.getByText('A secret draft.')).toHaveCount(0)
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
