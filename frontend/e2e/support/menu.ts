import type { Page } from '@playwright/test'

/** Chooses from the menu of a page's further actions. */
export async function fromMenu(page: Page, name: string | RegExp) {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name }).click()
}
