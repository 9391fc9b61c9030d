import { expect, type Locator, type Page } from '@playwright/test'

/** Opens an agent's Channels tab by its address. */
export async function openChannels(page: Page, agentId: string): Promise<Locator> {
  await page.goto(`/agents/${agentId}/channels`)
  return channels(page)
}

/** The open Channels tab. */
export const channels = (page: Page) => page.getByRole('main')

/** The dialog that asks for the name of a new export. */
export const createDialog = (page: Page) => page.getByRole('dialog', { name: 'Create API Export' })

/** Creates an export in the open tab and returns the key that it then shows. */
export async function createExport(page: Page, name: string): Promise<string> {
  await channels(page).getByRole('button', { name: 'Create API Export' }).click()
  await createDialog(page).getByLabel('Name (optional)').fill(name)
  await createDialog(page).getByRole('button', { name: 'Create API Export' }).click()
  await expect(keyRegion(page, name)).toBeVisible()
  return (await page.getByTestId('api-key').textContent()) ?? ''
}

/** Where a new key is shown. */
export const keyRegion = (page: Page, name: string) => page.getByRole('region', { name: `Key of “${name}”` })

/** The question that stands between a key on show and its loss. */
export const lossQuestion = (page: Page) => page.getByRole('alertdialog', { name: 'Did you save the key?' })

/** Presses a copy button and returns what the clipboard then holds. */
export async function copied(page: Page, button: Locator): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const name = (await button.textContent()) || (await button.getAttribute('aria-label'))
  const place = await button.elementHandle()
  await button.click()
  await expect.poll(() => place?.textContent(), `after "${name}"`).toBe('Copied')
  return page.evaluate(() => navigator.clipboard.readText())
}
