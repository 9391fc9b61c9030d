import type { Page } from '@playwright/test'
import { fromMenu } from './support/menu'
import { chat } from './support/owner'
import { expect, test } from './support/test'

const diff = (page: Page) => page.getByRole('list', { name: 'Changes to the instructions' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Publish “Order desk”' })
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const version = (page: Page, number: number) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: `Version ${number}`, exact: true }) })

/** Opens the dialog and publishes with a note. */
async function publish(page: Page, number: number, note: string) {
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await dialog(page).getByLabel('Note (optional)').fill(note)
  await dialog(page)
    .getByRole('button', { name: `Publish version ${number}` })
    .click()
  await expect(page.getByRole('group').filter({ hasText: `Version ${number} is live` })).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
}

test('acceptance 8: callers get each version once it is published, and the diff shows what changed', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', instructions: 'Wait 30 days.', publish: false })
  await page.goto(`/agents/${agent.id}`)
  await expect(status(page, 'Draft')).toBeVisible()
  await publish(page, 1, 'To begin with')
  await expect(status(page, 'Live, version 1')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toHaveCount(0)
  const { apiKey } = await owner.newExport(agent.id)

  await page.getByRole('link', { name: /^Agent(?!s| Chat)/ }).click()
  await page.getByRole('textbox', { name: 'Instructions' }).fill('Wait 60 days.\n(Describe it here…)')
  await expect(page.getByRole('button', { name: 'Unpublished changes' })).toBeVisible()
  expect((await chat(apiKey, 'Hello')).body.reply).toContain('Wait 30 days.')

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(diff(page).getByRole('listitem')).toContainText([
    /Removed: Wait 30 days\./,
    /Added: Wait 60 days\./,
    /Added:/,
  ])
  await expect(dialog(page).getByText('Line 2: (Describe it here…)')).toBeVisible()
  await expect(dialog(page).getByText('1 API export switches with its next message.')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await publish(page, 2, 'More time')
  expect((await chat(apiKey, 'Hello')).body.reply).toContain('Wait 60 days.')

  await page.getByRole('link', { name: 'Versions' }).click()
  await expect(version(page, 2)).toContainText('More time')
  await expect(version(page, 2).getByText('Live')).toBeVisible()
  await expect(version(page, 2)).toContainText('More time · Instructions')
  await version(page, 2).getByRole('link', { name: 'Version 2' }).click()
  await expect(page).toHaveURL(/\/versions\?open=2$/)
  await page.reload()
  await expect(diff(page)).toContainText('Added: Wait 60 days.')

  await owner.change(agent.id, { instructions: 'Wait a year.' })
  await owner.publish(agent.id)
  await expect(version(page, 3)).toContainText('Live')
  await page.getByRole('checkbox', { name: 'Select “Version 3”' }).click()
  await page.getByRole('checkbox', { name: 'Select “Version 1”' }).click()
  await page.getByRole('button', { name: 'Compare' }).click()
  await expect(page).toHaveURL(/\/versions\?open=3&against=1$/)
  await expect(diff(page)).toContainText('Removed: Wait 30 days.')
  await page.reload()
  await expect(diff(page)).toContainText('Added: Wait a year.')
})

test('a pinned export keeps its version, and a new choice applies to the next message @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', instructions: 'First words.' })
  const { id, apiKey } = await owner.newExport(agent.id, 'Till')
  await owner.change(agent.id, { instructions: 'Second words.' })
  await owner.publish(agent.id, 'Other words')
  await page.goto(`/exports/${id}`)
  await expect(page.getByText('Published version (now 2)')).toBeVisible()
  const choose = async (option: RegExp) => {
    await page.getByRole('button', { name: 'Edit “Till”' }).click()
    await page.getByRole('combobox', { name: 'Version' }).click()
    await page.getByRole('option', { name: option }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await choose(/^Version 1/)
  await expect(page.getByText('Version 1 (pinned)')).toBeVisible()
  expect((await chat(apiKey, 'Hello', 'customer-1')).body.reply).toContain('First words.')
  await page.goto(`/agents/${agent.id}/versions`)
  await version(page, 1).getByRole('link', { name: 'Till' }).click()
  await choose(/^Published version/)
  expect((await chat(apiKey, 'Hello', 'customer-1')).body.reply).toContain('Second words.')

  // The transcript names both versions and links to them.
  await page.goto(`/agents/${agent.id}/activity/conversations`)
  await page.getByRole('link', { name: 'customer-1' }).click()
  const turn = (number: number) => page.getByRole('article', { name: `Turn ${number}` })
  await expect(turn(2).getByRole('link', { name: 'Version 2' })).toBeVisible()
  await turn(1).getByRole('link', { name: 'Version 1' }).click()
  await expect(page.getByRole('region', { name: 'Content of version 1' })).toContainText('First words.')
})

test('two exports are pinned from a version, and the next calls answer with it @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ instructions: 'First words.' })
  const keys: string[] = []
  for (const name of ['Till', 'Kiosk', 'Web shop']) keys.push((await owner.newExport(agent.id, name)).apiKey)
  await owner.change(agent.id, { instructions: 'Second words.' })
  await owner.publish(agent.id)
  const answering = () => Promise.all(keys.map(async (key) => (await chat(key, 'Hello')).body.agent_version))
  const open = async () => {
    await version(page, 1).getByRole('button', { name: 'Actions for version 1' }).click()
    await page.getByRole('menuitem', { name: 'Pin exports to this version' }).click()
  }
  const dialog = page.getByRole('dialog', { name: 'Pin API exports to version 1' })
  await page.goto(`/agents/${agent.id}/versions`)
  await open()
  for (const name of ['Till', 'Kiosk']) await dialog.getByLabel(name).check()
  await dialog.getByRole('button', { name: 'Pin 2 exports' }).click()
  await expect(version(page, 1).getByRole('link', { name: /^(Till|Kiosk)$/ })).toHaveCount(2)
  expect(await answering()).toEqual([1, 1, 2])

  await open()
  await expect(dialog.getByLabel('Till')).toBeChecked()
  await dialog.getByLabel('Till').uncheck()
  await dialog.getByRole('button', { name: 'Follow published version' }).click()
  await expect(dialog).toHaveCount(0)
  expect(await answering()).toEqual([2, 1, 2])
})

test('an agent taken offline refuses pinned exports too, and goes online with its last version @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk' })
  const { id, apiKey } = await owner.newExport(agent.id)
  await owner.pin(id, 1)
  await page.goto(`/agents/${agent.id}`)
  await fromMenu(page, 'Take offline')
  const question = page.getByRole('dialog', { name: 'Take “Order desk” offline?' })
  await expect(question).toContainText('even if the export is pinned to a version')
  await question.getByRole('button', { name: 'Take offline' }).click()
  await expect(status(page, 'Offline')).toBeVisible()
  expect((await chat(apiKey, 'Hello')).body.error?.code).toBe('agent_not_ready')
  await page.goto('/agents?state=OFFLINE')
  await expect(page.getByRole('row').filter({ hasText: 'Order desk' })).toContainText('Offline')

  await page.getByRole('link', { name: 'Order desk', exact: true }).click()
  await page.getByRole('button', { name: 'Bring online' }).click()
  await dialog(page).getByRole('button', { name: 'Bring online' }).click()
  await expect(status(page, 'Live, version 1')).toBeVisible()
  expect((await chat(apiKey, 'Hello')).status).toBe(200)
})

test('publishing is undone from its notice: callers get the previous version, and the draft keeps the change @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', instructions: 'Wait 30 days.' })
  const { apiKey } = await owner.newExport(agent.id)
  await owner.change(agent.id, { instructions: 'Wait 60 days.' })
  await page.goto(`/agents/${agent.id}`)
  await publish(page, 2, 'More time')
  expect((await chat(apiKey, 'Hello')).body.reply).toContain('Wait 60 days.')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('dialog', { name: 'Undo version 2?' }).getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Version 1 is live again, as version 3', { exact: true })).toBeVisible()
  expect((await chat(apiKey, 'Hello')).body.reply).toContain('Wait 30 days.')
  await expect(page.getByRole('button', { name: 'Unpublished changes' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Instructions' })).toHaveValue('Wait 60 days.')
})
