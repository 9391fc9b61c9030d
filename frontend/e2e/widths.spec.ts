import type { Page } from '@playwright/test'
import { settled } from './screenshots/visit'
import { chat } from './support/owner'
import { expect, long, test } from './support/test'
import { trouble } from './support/trouble'

const addresses = (agent: string) => [
  '/',
  '/agents',
  `/agents/${agent}/versions`,
  '/exports',
  '/activity/conversations',
  '/activity/requests',
  '/activity/people?time=all',
  '/usage',
  '/usage/credits',
  '/settings/members',
  '/settings/audit',
]

for (const width of [1024, 1200, 1280]) {
  test(
    `acceptance 13: every column is whole at ${width} px, and nothing scrolls sideways`,
    long,
    async ({ strictPage: page, newOwner }) => {
      test.slow()
      const { returns, till } = await trouble(await newOwner())
      expect((await chat(till.apiKey, 'Hello', 'customer-6', { user_id: 'maria' })).status).toBe(200)
      await page.setViewportSize({ width, height: 900 })
      for (const address of addresses(returns.id)) {
        await page.goto(address)
        await page.locator('table:visible').first().waitFor()
        await settled(page, {})
        expect.soft(await cut(page), address).toEqual([])
      }
    },
  )
}

/** What does not fit: the page, a table in its box, or what a cell holds besides text of users, which ends in an ellipsis. */
const cut = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} px wide`)
    for (const table of document.querySelectorAll<HTMLElement>('table.panel-table')) {
      const box = table.parentElement as HTMLElement
      if (box.scrollWidth > box.clientWidth)
        found.push(`${box.ariaLabel} is ${box.scrollWidth} of ${box.clientWidth} px`)
      for (const cell of table.querySelectorAll<HTMLElement>('th, td')) {
        if (cell.querySelector('.panel-user-text') || !cell.checkVisibility()) continue
        const range = document.createRange()
        range.selectNodeContents(cell)
        const width = Math.floor(range.getBoundingClientRect().width)
        const { paddingLeft, paddingRight } = getComputedStyle(cell)
        // A head may reach into its padding; a cell has its ellipsis there.
        const padding = cell.localName === 'td' ? Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight) : 0
        const room = cell.clientWidth - padding
        if (Math.max(width, cell.scrollWidth - padding) <= room) continue
        found.push(`“${cell.innerText}” is ${width} of ${room} px`)
      }
    }
    return found
  })
