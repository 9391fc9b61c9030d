import { settled } from './screenshots/visit'
import { crawl, kindsAlone, missed } from './support/crawl'
import { expectTame, hostileMessages, hostileName } from './support/hostile'
import { fromMenu } from './support/menu'
import { chat, type Owner } from './support/owner'
import { expect, test } from './support/test'

/** An account in which everything that can be named has a hostile name, and everything was said once. */
async function hostileAccount(owner: Owner) {
  const agent = await owner.newAgent({
    name: hostileName,
    instructions: hostileMessages[0],
    model: 'sandbox/assistant',
  })
  const exported = await owner.newExport(agent.id, hostileName)
  await owner.pin(exported.id, 1)
  const named = { user_id: hostileName }
  for (const message of hostileMessages) {
    expect((await chat(exported.apiKey, message, hostileName, named)).status).toBe(200)
  }
  return { agent: agent.id, exported: exported.id }
}

test('acceptance 11: markup in messages and names stays text on every page @long', async ({
  strictPage: page,
  newOwner,
}) => {
  test.slow()
  page.on('dialog', () => expect(null, 'a dialog opened').toBe('no dialog'))
  await hostileAccount(await newOwner({ name: hostileName }))
  const come = await crawl(page, () => expectTame(page), kindsAlone)
  expect(missed(come), 'routes to which no link leads').toEqual([])
})

test('acceptance 11: markup in messages and names stays text @long', async ({ strictPage: page, newOwner }) => {
  test.slow()
  page.on('dialog', () => expect(null, 'a dialog opened').toBe('no dialog'))
  const owner = await newOwner({ name: hostileName })
  const { agent, exported } = await hostileAccount(owner)
  for (const address of ['/', '/activity/conversations', '/activity/requests', '/activity/people', '/usage']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await settled(page, {})
    await expectTame(page)
  }
  await page.goto('/activity/conversations')
  await page.locator('tbody .panel-row-link').first().click()
  await page.getByRole('article').first().waitFor()
  await expectTame(page)
  await page.goto(`/agents/${agent}?node=agent`)
  await page.getByRole('textbox', { name: 'Instructions' }).waitFor()
  await expectTame(page)

  // A dialog, a notification, and a title.
  await page.goto(`/exports/${exported}`)
  await page.getByRole('button', { name: 'Replace key' }).click()
  await page.getByRole('button', { name: 'Create new key' }).waitFor()
  await expectTame(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await fromMenu(page, 'Remove')
  await page.getByRole('button', { name: 'Remove export', exact: true }).waitFor()
  await expectTame(page)
  await page.getByRole('button', { name: 'Remove export', exact: true }).click()
  await expect(page.getByRole('group').filter({ hasText: 'removed' })).toBeVisible()
  await expectTame(page)
  await page.goto(`/agents/${agent}`)
  await fromMenu(page, 'Delete agent')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
  await expect(page).toHaveTitle(/<script>/)
  await expectTame(page)

  // Replies quote what was said, and are read as Markdown.
  await page.goto(`/agents/${agent}?try=window`)
  for (const [number, message] of hostileMessages.entries()) {
    await page.getByLabel('Message', { exact: true }).fill(message)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByRole('article')).toHaveCount(number + 1)
    await expect(page.getByRole('article').nth(number)).toContainText('1 credit')
  }
  await page.getByRole('button', { name: 'Chat options' }).click()
  await page.getByRole('menuitem', { name: 'View as cURL' }).click()
  await page.getByRole('region', { name: 'This message as cURL' }).waitFor()
  await expectTame(page)
})
