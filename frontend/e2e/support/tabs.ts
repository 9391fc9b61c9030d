import type { Page } from '@playwright/test'
import { expect } from './test'

/**
 * Expects one new tab at the address, and closes it. The browser itself is asked: Playwright's event of a new page never comes for a
 * tab in the background that has navigated while Playwright was still preparing it.
 */
export async function expectTab(page: Page, open: () => Promise<void>, address: RegExp) {
  const cdp = await page.context().browser()?.newBrowserCDPSession()
  if (!cdp) throw new Error('The page belongs to no browser')
  const tabs = async () => (await cdp.send('Target.getTargets')).targetInfos.filter(({ type }) => type === 'page')
  const before = new Set((await tabs()).map(({ targetId }) => targetId))
  const opened = async () => (await tabs()).filter(({ targetId }) => !before.has(targetId))
  await open()
  await expect.poll(async () => (await opened()).map(({ url }) => url)).toEqual([expect.stringMatching(address)])
  for (const { targetId } of await opened()) await cdp.send('Target.closeTarget', { targetId })
  await cdp.detach()
}
