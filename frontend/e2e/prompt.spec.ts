import { chat } from './support/owner'
import { expect, test } from './support/test'

test('each reply shows what the model saw, and a transcript is continued in Try @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({
    name: 'Order desk',
    instructions: `Be kind.\n\nBe brief.\n\n${'Answer in the language of the customer. '.repeat(20)}`,
  })
  const { apiKey } = await owner.newExport(agent.id, 'Shop')
  for (const message of ['My name is Ada', 'Where is my order?', 'Never mind'])
    expect((await chat(apiKey, message, 'customer-7')).status).toBe(200)
  await page.goto(`/agents/${agent.id}/activity/conversations`)
  await page.getByRole('link', { name: 'customer-7' }).click()

  const turn = page.getByRole('article', { name: 'Turn 2', exact: true })
  await turn.getByRole('button', { name: 'What the model saw' }).press('Enter')
  const saw = turn.getByRole('region', { name: 'What the model saw' })
  const text = saw.getByText('Be kind.')
  await expect(text).toBeVisible()
  for (const fact of ['1 earlier turn', 'Version 1', 'sandbox/free']) await expect(saw.getByText(fact)).toBeVisible()
  const height = async () => (await text.locator('..').boundingBox())?.height ?? 0
  expect(await height()).toBeLessThanOrEqual(40)
  await saw.getByRole('button', { name: 'Show all', exact: true }).press('Enter')
  expect(await height()).toBeGreaterThan(100)

  await turn.getByRole('button', { name: 'Actions for turn 2' }).click()
  await page.getByRole('menuitem', { name: 'Continue in Try' }).click()
  await expect(page.getByText('Continues from turn 2 of customer-7')).toBeVisible()
  await page.getByRole('textbox', { name: 'Message' }).fill('[[sandbox history]]')
  await page.getByRole('button', { name: 'Send' }).click()
  const log = page.getByRole('log')
  await expect(log).toContainText('Where is my order?')
  await expect(log).not.toContainText('Never mind')
  await log.getByRole('button', { name: 'What the model saw' }).press('Enter')
  await expect(log.getByText('2 earlier turns')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Continues from turn 2 of customer-7')).toBeVisible()

  await page.getByRole('link', { name: 'customer-7' }).click()
  await expect(page.getByRole('article', { name: 'Turn 3', exact: true })).toBeVisible()
})
