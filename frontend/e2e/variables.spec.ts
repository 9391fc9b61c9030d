import type { Page } from '@playwright/test'
import { expect, test } from './support/test'

const instructions = 'Help with order {{order_id}} in a {{tone}} tone.'
const orderId = { name: 'order_id', description: 'The order the caller asks about', required: true }

/** The browser remembers which parts are open. */
async function openVariables(page: Page) {
  const part = page.locator('#build-variables')
  if ((await part.getAttribute('open')) === null) await part.locator('summary').click()
}
const editor = (page: Page) => page.getByRole('region', { name: 'Variables' })
const row = (page: Page, name: string) => editor(page).getByRole('group', { name: `Variable ${name}`, exact: true })
const values = (page: Page) => page.getByRole('region', { name: 'Test values' })
const last = (page: Page) => page.getByRole('article').last()
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Publish “Order desk”' })

async function say(page: Page, message: string) {
  await page.getByRole('textbox', { name: 'Message' }).fill(message)
  await page.getByRole('button', { name: 'Send' }).click()
}

test('variables are declared in the panel, published, and get their values with each message @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', publish: false })
  await page.goto(`/agents/${agent.id}?node=agent`)
  await page.getByRole('textbox', { name: 'Instructions' }).fill(instructions)
  await expect(page.getByText('{{tone}} isn’t declared')).toHaveCount(1)
  await page.getByRole('button', { name: 'Declare order_id' }).click()
  await expect(page.getByRole('textbox', { name: 'Instructions' })).toBeFocused()
  await openVariables(page)
  await row(page, 'order_id').getByLabel('Description').fill(orderId.description)
  await row(page, 'order_id').getByLabel('Required').click()
  await expect(row(page, 'order_id').getByLabel('Default value')).toBeDisabled()
  await editor(page).getByRole('button', { name: 'Add variable', exact: true }).click()
  await expect(row(page, '2').getByLabel('Variable name')).toBeFocused()
  await page.keyboard.type('tone')
  await row(page, 'tone').getByLabel('Default value').fill('friendly')
  await expect(page.getByText(/isn’t declared/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(dialog(page).getByText('Requests without order_id will be rejected.')).toBeVisible()
  await expect(dialog(page).getByText(/still contain/)).toHaveCount(0)
  await dialog(page).getByRole('button', { name: 'Publish version 1' }).click()
  await expect(dialog(page)).toHaveCount(0)

  await values(page).getByLabel('order_id').fill('A-1')
  await say(page, 'Hello')
  await expect(last(page)).toContainText('Help with order A-1 in a friendly tone.')
  await page.getByRole('button', { name: 'Test values (1)' }).click()
  await values(page).getByLabel('order_id').fill('B-2')
  await values(page).getByLabel('tone').fill('{{order_id}}')
  await say(page, 'And now?')
  await expect(last(page)).toContainText('Help with order B-2 in a {{order_id}} tone.')
  await page.getByRole('combobox', { name: 'Version' }).click()
  await page.getByRole('option', { name: 'Version 1' }).click()
  await values(page).getByLabel('tone').fill('stern')
  await say(page, 'And you?')
  await expect(last(page)).toContainText('Help with order B-2 in a stern tone.')

  await page.goto(`/agents/${agent.id}?node=agent`)
  await openVariables(page)
  await expect(row(page, 'order_id').getByLabel('Description')).toHaveValue(orderId.description)
  await expect(row(page, 'order_id').getByLabel('Required')).toBeChecked()
  await expect(row(page, 'tone').getByLabel('Default value')).toHaveValue('friendly')
  await page.goto(`/agents/${agent.id}/versions?open=1`)
  const content = page.getByRole('region', { name: 'Content of version 1' })
  await expect(content.getByRole('list', { name: 'Variables' })).toContainText(
    'order_id: required. The order the caller asks about',
  )
})
