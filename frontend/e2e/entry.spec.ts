import type { Page } from '@playwright/test'
import { newAccount } from './support/accounts'
import { painted } from './support/frames'
import { startService } from './support/service'
import { expect, full, signIn, test } from './support/test'

const scheme = (page: Page) => page.locator('html').getAttribute('data-mantine-color-scheme')

/** The colours of the page, from its first painted frame on. */
async function watchBackground(page: Page) {
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { backgrounds: seen })
    const look = () => {
      if (document.body) {
        const { backgroundColor, colorScheme } = getComputedStyle(document.body)
        const shown = `${document.documentElement.dataset.mantineColorScheme} ${colorScheme} ${backgroundColor}`
        if (seen.at(-1) !== shown) seen.push(shown)
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

const backgrounds = (page: Page) => page.evaluate(() => (window as unknown as { backgrounds: string[] }).backgrounds)

for (const [system, chosen] of [
  ['light', 'Dark'],
  ['dark', 'Light'],
] as const) {
  test(
    `a theme chosen against a ${system} system is there at the first paint`,
    full(),
    async ({ strictPage: page, newOwner }) => {
      await newOwner()
      await watchBackground(page)
      await page.emulateMedia({ colorScheme: system })
      await page.goto('/agents')
      await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible()
      expect(await scheme(page)).toBe(system)
      await page.getByRole('button', { name: /^Account of/ }).click()
      await page.getByRole('menuitemradio', { name: chosen }).click()
      await expect.poll(() => scheme(page)).toBe(chosen.toLowerCase())

      await page.reload()
      await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible()
      await painted(page) // the heading is there before its frame
      const surface = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      // The native controls and scroll bars too, in every frame.
      const one = chosen.toLowerCase()
      expect(await backgrounds(page)).toEqual([`${one} ${one} ${surface}`])
    },
  )
}

test('the theme follows the system while none is chosen', async ({ strictPage: page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(await scheme(page)).toBe('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => scheme(page)).toBe('light')
})

test('where one was going is kept between signing in and signing up', async ({ strictPage: page }) => {
  const account = newAccount()
  await page.goto('/agents?state=DRAFT')
  await expect(page).toHaveURL(/\/login\?next=/)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page).toHaveURL(/\/signup\?next=/)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/login\?next=/)
  await signIn(page, account)
  await expect(page).toHaveURL(/\/agents\?state=DRAFT$/)
})

test('who has forgotten the password reads whom to ask, and a closed sign-up says so', full(), async ({ page }) => {
  test.slow()
  const service = await startService({ SUPPORT_CONTACT: 'https://help.example.com/panel', SIGN_UP: 'closed' })
  try {
    await page.goto(`${service.panel}/login`)
    const help = page.getByRole('link', { name: 'https://help.example.com/panel' })
    await expect(help).toHaveCount(0)
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await expect(help).toBeVisible()
    await expect(help).toHaveAttribute('href', 'https://help.example.com/panel')
    await expect(page.getByRole('link', { name: 'Sign up' })).toHaveCount(0)
    await page.goto(`${service.panel}/signup`)
    await expect(page.getByText('Sign-up is closed')).toBeVisible()
  } finally {
    await service.stop()
  }
})

test('an address that leads nowhere says so inside the panel', async ({ strictPage: page, newOwner }) => {
  await newOwner()
  await page.goto('/settings/nowhere')
  await expect(page.getByRole('heading', { name: 'Page not found', level: 1 })).toBeVisible()
  await expect(page).toHaveTitle(/Page not found/)
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
})

for (const [reducedMotion, most] of [
  ['no-preference', 150],
  ['reduce', 0],
] as const) {
  test(`motion takes at most ${most} ms with ${reducedMotion}`, full(), async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent()
    await page.emulateMedia({ reducedMotion })
    for (const path of ['/agents', '/settings', `/agents/${agent.id}?node=channels`]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeVisible()
      if (path.includes('node')) {
        await expect(page.getByRole('dialog')).toBeVisible()
        await expect(page.getByRole('radio', { includeHidden: true })).not.toHaveCount(0) // the models, behind it
      }
      expect(await page.evaluate(longerThan, most)).toEqual([])
    }
  })
}

/** Runs in the page: what changes for longer than so many milliseconds. */
function longerThan(most: number): string[] {
  const slow = (element: Element) => {
    const { transitionProperty, transitionDuration } = getComputedStyle(element)
    const longest = Math.max(...transitionDuration.split(',').map((each) => 1_000 * Number.parseFloat(each)))
    return transitionProperty !== 'none' && longest > most
      ? [`${element.tagName} ${element.className}: ${longest}`]
      : []
  }
  return [...document.querySelectorAll('*')].flatMap(slow)
}
