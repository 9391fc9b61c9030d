import { chat } from './support/owner'
import { expect, test } from './support/test'

test('acceptance 20: a refused request appears within 5 s, is found by its id, and says what to change', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id, 'Till')
  await chat(apiKey, 'Hello', 'customer-1')
  await page.goto('/requests')
  await expect(page.getByText('1 request', { exact: true })).toBeVisible()
  expect((await chat(apiKey, '', 'customer-1')).status).toBe(400)
  await expect(page.getByRole('row').filter({ hasText: 'invalid_request' })).toBeVisible({ timeout: 5_000 })
  const id = await page.getByRole('row').filter({ hasText: 'invalid_request' }).getByRole('link').first().innerText()

  await page.getByLabel('Request ID or session ID').fill(id)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('link', { name: id }).click()
  const panel = page.getByRole('dialog', { name: 'Request' })
  await expect(panel.getByText('message is blank. Send some text for the agent.')).toBeVisible()
  await expect(panel.getByText(/^Correct the field that is named above/)).toBeVisible()
  await expect(panel.getByText('Till')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)

  // The palette finds it by its session, too.
  await page.keyboard.press('Control+K')
  await page.getByRole('textbox', { name: 'Search or jump to' }).fill('customer-1')
  await page.getByRole('button', { name: /Request .*customer-1/ }).click()
  await expect(page).toHaveURL(/\/requests\?search=customer-1$/)
  await expect(page.getByRole('row').filter({ hasText: 'Answered' })).toHaveCount(1)
  await page.getByRole('row').filter({ hasText: 'Answered' }).getByRole('link').first().click()
  await panel.getByRole('link', { name: 'Open the conversation' }).click()
  await expect(page).toHaveURL(/\/conversations\//)
  await expect(page.getByText('customer-1')).toBeVisible()
})
