import { createDialog } from './support/channels'
import { chat } from './support/owner'
import { expect, long, test } from './support/test'

test('acceptance 22: every mention of an export leads to its page', long, async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ model: 'sandbox/assistant' })
  const shop = await owner.newExport(agent.id, 'Web shop')
  await chat(shop.apiKey, 'Hello', 'customer-1')
  await owner.pin(shop.id, 1)
  await owner.gql('mutation($input: UpdateApiExportInput!) { updateApiExport(input: $input) { export { id } } }', {
    input: { id: shop.id, dailyCreditLimit: 1 },
  })
  const found = await owner.gql<{ agent: { conversations: { nodes: { id: string }[] } } }>(
    'query($id: ID!) { agent(id: $id) { conversations(first: 1) { nodes { id } } } }',
    { id: agent.id },
  )
  const conversation = found.agent.conversations.nodes[0]?.id
  // Below 1,440 px a conversation's facts are folded; a request has its export in the panel; days of credits are closed.
  const unfold: Record<string, () => Promise<void>> = {
    conversations: () => page.locator('summary', { hasText: 'Details' }).click(),
    requests: () => page.getByRole('link', { name: 'Hello', exact: true }).click(),
    credits: () => page.getByTestId('credit-day').getByRole('button').click(),
  }
  for (const address of [
    '/',
    '/exports',
    `/agents/${agent.id}/channels`,
    `/agents/${agent.id}/versions`,
    `/activity/conversations/${conversation}`,
    '/activity/requests',
    '/usage?split=export',
    '/usage/credits',
  ]) {
    await test.step(address, async () => {
      await page.goto(address)
      await unfold[address.split('/')[2] ?? '']?.()
      await page
        .getByRole('link', { name: /^Web shop/ })
        .first()
        .click()
      await expect(page).toHaveURL(`/exports/${shop.id}`)
      await expect(page.getByRole('heading', { name: 'Web shop', level: 1 })).toBeVisible()
    })
  }
  await page.getByRole('region', { name: 'Recent requests' }).getByRole('link').first().click()
  await page.getByRole('complementary', { name: 'Request' }).getByRole('link', { name: 'Web shop' }).click()
  await expect(page).toHaveURL(`/exports/${shop.id}`)
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder(/./).last().fill('Web shop')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/exports/${shop.id}`)
})

test(
  'exports are created in the list in four clicks, and ordered by the credits of this month over pages',
  long,
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent({ name: 'Order desk', model: 'sandbox/assistant' })
    const made = []
    for (let at = 1; at <= 59; at++) made.push(await owner.newExport(agent.id, `Line ${at}`))
    await page.goto('/exports')
    await page.getByRole('button', { name: 'Create API Export' }).click()
    await createDialog(page).getByRole('combobox', { name: 'Agent' }).click()
    await page.getByRole('option', { name: 'Order desk' }).click()
    await createDialog(page).getByRole('button', { name: 'Create API Export' }).click()
    const key = (await page.getByTestId('api-key').textContent()) ?? ''
    await expect(page).toHaveURL(/\/exports\/[0-9a-f-]{36}$/)
    await page.getByRole('button', { name: 'I’ve saved the key' }).click()

    for (const apiKey of [key, key, key, made[9]?.apiKey ?? '', made[9]?.apiKey ?? '', made[0]?.apiKey ?? '']) {
      expect((await chat(apiKey, 'Hello')).status).toBe(200)
    }
    await page.goto('/exports')
    const names = page.locator('tbody .panel-row-link')
    await expect
      .poll(async () => (await names.allTextContents()).slice(0, 3), { timeout: 30_000 })
      .toEqual(['API export', 'Line 10', 'Line 1'])
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect(names).toHaveCount(60)
    expect(new Set(await names.allTextContents()).size, 'none twice').toBe(60)
  },
)

test(
  'all exports of an agent are paused together, with one entry each in the audit trail',
  long,
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent({ model: 'sandbox/assistant' })
    const other = await owner.newAgent({ model: 'sandbox/assistant' })
    const [till, kiosk] = [await owner.newExport(agent.id, 'Till'), await owner.newExport(agent.id, 'Kiosk')]
    const elsewhere = await owner.newExport(other.id, 'Elsewhere')
    await page.goto(`/exports?agent=${agent.id}`)
    await page.getByRole('button', { name: 'Pause all exports' }).click()
    const dialog = page.getByRole('dialog', { name: 'Pause all exports' })
    await expect(dialog.getByRole('listitem')).toHaveText(['Kiosk', 'Till'])
    await dialog.getByRole('button', { name: 'Pause 2 exports' }).click()
    await expect(dialog).toHaveCount(0)
    for (const { apiKey } of [till, kiosk]) {
      expect((await chat(apiKey, 'Hello')).body.error?.code).toBe('export_paused')
    }
    expect((await chat(elsewhere.apiKey, 'Hello')).status).toBe(200)
    await page.goto('/settings/audit')
    await expect(page.getByRole('row').filter({ hasText: 'API export paused' })).toHaveCount(2)
  },
)
