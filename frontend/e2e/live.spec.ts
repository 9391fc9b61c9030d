import { chat } from './support/owner'
import { expect, full, test } from './support/test'

const soon = { timeout: 5_000 }

test('acceptance 28: what happens elsewhere shows within 5 s', full(), async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', instructions: 'Old.' })
  const { id, apiKey } = await owner.newExport(agent.id, 'Till')

  await page.goto(`/agents/${agent.id}`)
  await expect(page.getByText('Callers get version 1.')).toBeVisible()
  await owner.change(agent.id, { instructions: 'New.' })
  await expect(page.getByText('Unpublished changes')).toBeVisible(soon)
  await expect(page.getByRole('textbox', { name: 'Instructions' })).toHaveValue('New.')
  await owner.publish(agent.id)
  await expect(page.getByText('Callers get version 2.')).toBeVisible(soon)

  await page.goto('/conversations')
  await expect(page.getByText('No conversations yet')).toBeVisible()
  await chat(apiKey, 'Where is my parcel?', 'customer-1')
  await expect(page.getByRole('row').filter({ hasText: 'Where is my parcel?' })).toBeVisible(soon)

  await page.goto('/exports')
  await expect(page.getByRole('link', { name: 'Till' })).toBeVisible()
  await owner.gql('mutation($input: RemoveApiExportInput!) { removeApiExport(input: $input) { export { id } } }', {
    input: { id },
  })
  await expect(page.getByRole('link', { name: 'Till' })).toHaveCount(0, soon)
})

test('the palette finds a request and a session by what was typed', full(), async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await chat((await owner.newExport(agent.id)).apiKey, 'Where is my parcel?', 'customer-1')
  await page.goto('/')
  await page.getByRole('button', { name: 'Search or jump to' }).click()
  await page.locator('input[aria-label="Search or jump to"]').fill('customer-1')
  await page.getByRole('button', { name: /Request .*customer-1/ }).click()
  await expect(page).toHaveURL(/\/requests\?search=customer-1$/)
  await expect(page.getByText('1 request', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+K')
  await page.locator('input[aria-label="Search or jump to"]').fill('parcel')
  await page.getByRole('button', { name: /Messages with .*parcel/ }).click()
  await expect(page.getByRole('link', { name: 'customer-1' })).toBeVisible()
})
