import { chat } from './support/owner'
import { expect, test } from './support/test'

test('exports are found, sorted, narrowed down and marked by keys alone @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ model: 'sandbox/assistant' })
  const limit = (id: string, dailyCreditLimit: number) =>
    owner.gql('mutation($input: UpdateApiExportInput!) { updateApiExport(input: $input) { export { id } } }', {
      input: { id, dailyCreditLimit },
    })
  for (const name of ['Line 2', 'Line 10', 'Kiosk', 'Till']) {
    const { id, apiKey } = await owner.newExport(agent.id, name)
    if (name === 'Kiosk') continue
    await limit(id, name === 'Till' ? 10 : 1)
    await chat(apiKey, 'Hello', 'one')
  }
  const names = page.locator('tbody .panel-row-link')
  await page.goto('/exports')
  await expect(names).toHaveText(['Till', 'Line 10', 'Line 2', 'Kiosk'])
  await page.getByRole('button', { name: 'Name', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(names).toHaveText(['Kiosk', 'Line 10', 'Line 2', 'Till'])
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')

  for (const key of ['j', 'j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key)
  await expect(page.getByText('3 selected')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Till', exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Clear selection' }).focus()
  await page.keyboard.press('Enter')

  await page.keyboard.press('Control+K')
  await expect(page.getByRole('combobox', { name: 'Search or jump to…' })).toBeFocused()
  await page.keyboard.type('near a')
  await expect(page.getByText('Show exports near a limit')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/exports\?near=true$/)
  await expect(names).toHaveText(['Line 10', 'Line 2'])
  await page.reload()
  await expect(page.getByText('2 exports', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Near a limit (80%+)', pressed: true })).toBeVisible()
})

test('on a phone the palette finds an agent at two touches, and the sheet sorts @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk' })
  for (const name of ['Alpha', 'Beta']) await owner.newExport(agent.id, name)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/exports')
  const names = page.locator('tbody .panel-row-link')
  await expect(names).toHaveText(['Beta', 'Alpha'])
  await page.getByRole('button', { name: /^Filters/ }).click()
  await page.getByLabel('Sort by').selectOption('Name')
  await page.getByRole('button', { name: 'Show results' }).click()
  await expect(names).toHaveText(['Alpha', 'Beta'])
  await page.getByRole('button', { name: 'Search or jump to…' }).click()
  const field = page.getByRole('combobox', { name: 'Search or jump to…' })
  await field.fill('order')
  const found = page.getByRole('option', { name: 'Order desk', exact: true })
  const [box, width] = [await found.boundingBox(), 390]
  expect(box && box.x >= 0 && box.x + box.width <= width).toBe(true)
  await found.click()
  await expect(page).toHaveURL(new RegExp(`/agents/${agent.id}$`))
})

test('a long id of a person ends in an ellipsis, and times stay on one line @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id)
  const person = `customer-${'0123456789abcdef'.repeat(8)}`
  expect((await chat(apiKey, 'Hello', 'one', { user_id: person })).status).toBe(200)
  for (const address of ['/activity/conversations', '/activity/requests']) {
    await page.goto(address)
    await expect(page.locator('td time').first()).toBeVisible()
    for (const time of await page.locator('td time').all())
      expect(await time.evaluate((element) => element.getClientRects().length)).toBe(1)
    const link = page.getByRole('link', { name: person })
    await expect(link).toBeVisible()
    // What does not fit is cut by the link itself, which then draws the ellipsis.
    const shown = await link.evaluate((element) => {
      const cell = element.closest('td')?.getBoundingClientRect()
      const { right, height } = element.getBoundingClientRect()
      const { textOverflow, overflowX } = getComputedStyle(element)
      const cut = element.scrollWidth > element.clientWidth
      return { cut, inside: right <= (cell?.right ?? 0), height: Math.round(height), textOverflow, overflowX }
    })
    expect(shown).toEqual({
      cut: true,
      inside: true,
      height: expect.any(Number),
      textOverflow: 'ellipsis',
      overflowX: 'hidden',
    })
    expect(shown.height).toBeLessThanOrEqual(24)
  }
})

test.describe('in German', () => {
  test.use({ locale: 'de-DE' })

  test('numbers and days are written as the browser says @long', async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner({ credits: 12_345 })
    await owner.newAgent()
    await page.goto('/usage/credits')
    await expect(page.getByText(/12\.345/).first()).toBeVisible()
    await expect(page.getByText(/12,345/)).toHaveCount(0)
  })
})
