import { chat } from './support/owner'
import { expect, test } from './support/test'

const soon = { timeout: 5_000 }

test('changes made elsewhere appear within 5 s @long', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', instructions: 'Old.' })
  const { apiKey } = await owner.newExport(agent.id, 'Till')

  await page.goto(`/agents/${agent.id}`)
  await expect(page.getByText('Live, version 1')).toBeVisible()
  await owner.change(agent.id, { instructions: 'New.' })
  await expect(page.getByText('Unpublished changes')).toBeVisible(soon)
  await expect(page.getByRole('textbox', { name: 'Instructions' })).toHaveValue('New.')
  await owner.publish(agent.id)
  await expect(page.getByText('Live, version 2')).toBeVisible(soon)

  await page.goto('/activity/conversations?time=all')
  await expect(page.getByText('No conversations yet')).toBeVisible()
  await chat(apiKey, 'Where is my parcel?', 'customer-1')
  await expect(page.getByRole('row').filter({ hasText: 'Where is my parcel?' })).toBeVisible(soon)
})
