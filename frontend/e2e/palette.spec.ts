import { chat } from './support/owner'
import { expect, test } from './support/test'

test('acceptance 5 and 6: the palette has every key from Ctrl K on, and Enter opens its top row or a user by ID', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Booking desk', model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id)
  expect((await chat(apiKey, 'Hello', 'one', { user_id: 'u-7' })).status).toBe(200)

  await page.goto('/activity/conversations')
  await page.keyboard.press('Control+K')
  await page.keyboard.type('booking', { delay: 20 })
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toHaveValue('booking')
  await expect(page.getByRole('dialog').getByRole('option', { selected: true })).toHaveText('Booking desk')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/agents/${agent.id}`)

  await page.keyboard.press('Control+K')
  await page.keyboard.type('u-7', { delay: 20 })
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/activity\/people\/person\?id=u-7$/)
})
