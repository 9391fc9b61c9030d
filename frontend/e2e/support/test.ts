import { test as base, expect, type Page } from '@playwright/test'
import { type Account, type NewAccount, newAccount } from './accounts'
import { Owner } from './owner'
import { addresses } from './target'

/** The tests' own `test`: strictPage must raise no error and break no content policy. */
export const test = base.extend<{
  /** A page that fails the test when it logs an error, throws, or asks another origin for something. */
  strictPage: Page
  /** Opens an account of this test's own, and signs the page's browser in as it: the next page.goto finds it signed in. */
  newOwner: (options?: Partial<NewAccount>) => Promise<Owner>
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of this pattern
  baseURL: async ({}, use) => use(addresses().panel),
  strictPage: async ({ page }, use) => {
    const problems: string[] = []
    watch(page, (text) => problems.push(text))
    await use(page)
    expect(problems).toEqual([])
  },
  newOwner: async ({ page }, use) => {
    await use(async (options) => {
      const owner = await Owner.signIn(newAccount(options))
      await page.context().addCookies(owner.cookies())
      return owner
    })
  },
})

/** Tells of errors that a page logs or throws, what breaks the content policy among them, and of requests to another origin. */
export function watch(page: Page, tell: (text: string) => void) {
  page.on('pageerror', (error) => tell(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') tell(message.text())
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${addresses().panel}/`) && !url.startsWith('data:')) tell(`foreign request: ${url}`)
  })
}

/** The details of a test that `npm run e2e` leaves out and `npm run e2e:long` runs. So does @long in a test's title. */
export const long = { tag: '@long' }

/** Signs in on the sign-in page: as the demo account, unless another is given. */
export async function signIn(page: Page, { email, password }: Account = addresses().demo) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export { addresses, expect }
