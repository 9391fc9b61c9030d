import { test as base, expect, type Page } from '@playwright/test'
import type { Addresses } from './service'

/** The service under test. */
export function addresses(): Addresses {
  const given = process.env.E2E_ADDRESSES
  if (!given) throw new Error('The global set-up has not run')
  return JSON.parse(given) as Addresses
}

/** A test whose page must raise no error and break no content policy. */
export const test = base.extend<{ strictPage: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of this pattern
  baseURL: async ({}, use) => use(addresses().panel),
  strictPage: async ({ page }, use) => {
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== addresses().panel && !request.url().startsWith('data:'))
        problems.push(`foreign request: ${request.url()}`)
    })
    await use(page)
    expect(problems).toEqual([])
  },
})

/** Signs in as the demo account. */
export async function signIn(page: Page, { email, password } = addresses().demo) {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export { expect }
