import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './support/test'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Checks a page at both widths: no violation, and nothing wider than the window. */
async function isAccessible(page: Page) {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().options({ runOnly: rules }).analyze()
    expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${width}: ${id} at ${target}`))).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
}

test('a case is made by keyboard, runs find what the draft breaks, and the gate blocks publishing', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const { id } = await owner.newAgent({ name: 'Order desk', instructions: 'Wait 30 days.' })
  await page.goto(`/agents/${id}/tests`)
  await expect(page.getByText('No test cases yet')).toBeVisible()

  await page.getByRole('link', { name: 'New case' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Message', exact: true }).focus()
  await page.keyboard.type('How long?')
  await page.getByRole('textbox', { name: 'Text' }).focus()
  await page.keyboard.type('30 days')
  await isAccessible(page)
  await page.keyboard.press('Enter') // a text may have several lines
  await page.keyboard.press('Backspace')
  await page.getByRole('button', { name: 'Save case' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'How long?' })).toBeVisible()
  await isAccessible(page)

  const run = async (subject: string) => {
    await page.getByRole('button', { name: 'Run tests' }).click()
    await page.getByRole('radio', { name: subject, exact: true }).check()
    await expect(page.getByText(/Costs exactly/)).toBeVisible()
    await page.getByRole('button', { name: 'Start' }).click()
  }
  await run('Live version')
  await expect(page.getByText('1 of 1 case passed · 1 attempt · 0 credits')).toBeVisible()
  await owner.change(id, { instructions: 'Wait 60 days.' })
  await page.getByRole('link', { name: 'All test cases' }).click()
  await run('Draft')
  await expect(page.getByText('0 of 1 case passed · 1 attempt · 0 credits')).toBeVisible()
  await page.getByLabel('Compare with').selectOption({ label: 'Run 1 · Version 1' })
  await expect(page.getByText('1 worse, 0 better, 0 the same')).toBeVisible()
  await expect(page.getByText('Check 1, Contains')).toBeVisible()
  await page.getByRole('button', { name: 'How long?' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Attempt 1')).toBeVisible()
  await isAccessible(page)

  await page.getByRole('link', { name: 'All test cases' }).click()
  await page.getByRole('button', { name: 'Test settings' }).click()
  await page.getByLabel('Before publishing').selectOption('Warn')
  await isAccessible(page)
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish “Order desk”' })
  await expect(dialog.getByText('1 of 1 case failed')).toBeVisible()
  await dialog.getByRole('button', { name: 'Publish without tests' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Live, version 2' })).toBeVisible()
})

test('a turn of Try becomes a case, and unsaved input survives a reload', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const { id } = await owner.newAgent()
  await owner.sendTestMessage(id, 'Is tea healthy?')
  await page.goto(`/agents/${id}/activity/conversations?source=PLAYGROUND`)
  await page
    .getByRole('link', { name: /Visitor|playground/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Actions for turn 1' }).click()
  await page.getByRole('menuitem', { name: 'Make a test case' }).click()
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue('Is tea healthy?')
  await page.getByRole('textbox', { name: 'Text' }).fill('tea')
  await page.waitForFunction(() => Object.keys(sessionStorage).some((key) => key.includes('/case-of-')))
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Text' })).toHaveValue('tea')
  await page.getByRole('button', { name: 'Save case' }).click()
  await expect(page.getByRole('link', { name: 'Is tea healthy?' })).toBeVisible()
})
