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
  for (const address of [
    '/',
    '/exports',
    `/agents/${agent.id}?node=channels`,
    `/agents/${agent.id}/channels`,
    `/agents/${agent.id}/versions`,
    `/activity/conversations/${conversation}`,
    '/activity/requests',
    '/usage?split=export',
    '/usage/credits',
  ]) {
    await test.step(address, async () => {
      await page.goto(address)
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
