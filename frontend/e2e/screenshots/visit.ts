import type { Browser, BrowserContext, Page } from '@playwright/test'
import { painted } from '../support/frames'
import { operationsOf, separate } from '../support/operations'
import { Owner } from '../support/owner'
import { addresses, test as base, expect, watch } from '../support/test'
import type { State } from './state'
import { moveIn, type Place } from './world'

/** Opens a state in a page of its own, hands it on, and closes the page. */
type Visit = (state: State, look: (page: Page) => Promise<void>) => Promise<void>

/** Messages of the browser that say something is wrong, from every page opened by `visit`. */
type Problems = { drain: () => string[] }

export const test = base.extend<object, { problems: Problems; visit: Visit }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of this pattern
  problems: [async ({}, use) => use(new Noticed()), { scope: 'worker' }],
  visit: [
    async ({ browser, problems }, use) => {
      const visitors = new Map<State['as'], Promise<Visitor>>()
      const visitorOf = (person: State['as']) => {
        const visitor = visitors.get(person) ?? signedIn(browser, person)
        visitors.set(person, visitor)
        return visitor
      }
      await use(async (state, look) => {
        const visitor = await visitorOf(state.as)
        await renewSignIn(visitor)
        const { context, place } = visitor
        const page = await context.newPage()
        if (!state.network) (problems as Noticed).watch(page, state.name)
        try {
          await load(page, state, place)
          await look(page)
          // The parts of Build that this visit opened must be closed for the next one.
          await page.evaluate(() => localStorage.clear())
        } finally {
          await page.unrouteAll({ behavior: 'ignoreErrors' })
          await page.close()
        }
      })
      for (const visitor of visitors.values()) await (await visitor).context.close()
    },
    { scope: 'worker' },
  ],
})

export { expect }

class Noticed implements Problems {
  private found: string[] = []

  watch(page: Page, name: string) {
    watch(page, (text) => this.found.push(`${name}: ${text}`))
  }

  drain(): string[] {
    return this.found.splice(0)
  }
}

type Visitor = { context: BrowserContext; place: Place; owner?: Owner; signedInAt: number }

/** Ten minutes after a sign-in, the panel asks for the password before it shows a new key. No state is open for two. */
const lately = 8 * 60_000

/** A person's account and browser, kept for all of this worker's tests: each page continues the sign-in of the one before. */
async function signedIn(browser: Browser, person: State['as']): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: addresses().panel,
    reducedMotion: 'reduce',
    colorScheme: 'light',
  })
  // What breaks the policy is an error in the console too, whichever way it would have been reported.
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy violation: ${violatedDirective} ${blockedURI}`)
    })
  })
  const signedInAt = Date.now()
  if (person === 'visitor') return { context, place: {}, signedInAt }
  const { owner, place } = await moveIn(person)
  await context.addCookies(owner.cookies())
  return { context, place, owner, signedInAt }
}

/** Signs a visitor in again, unless the last sign-in is recent. */
async function renewSignIn(visitor: Visitor) {
  if (!visitor.owner || Date.now() - visitor.signedInAt < lately) return
  visitor.signedInAt = Date.now()
  const { account } = visitor.owner
  await visitor.context.addCookies((await Owner.signIn(account)).cookies())
}

/** Which operations every page's frame needs; the network fails for the others only. */
const ofTheFrame = ['RenewAccess', 'Viewer', 'ServiceInfo']

async function load(page: Page, state: State, place: Place) {
  await page.setViewportSize(sizeOf(state))
  if (state.network) {
    await page.route('**/graphql', async (route) => {
      const asked = operationsOf(route.request())
      const others = asked.filter((name) => !ofTheFrame.includes(name))
      if (others.length === 0) return route.continue()
      if (others.length < asked.length) return separate(route)
      // A slow network answers when the page is closed: never.
      if (state.network === 'down') await route.abort('connectionrefused')
    })
  }
  await page.goto(state.path(place))
  await expect(page.getByRole('heading', { level: 1, includeHidden: true }).first()).toBeAttached()
  if (state.network === 'slow') await expect(page.getByRole('status', { name: 'Loading' }).first()).toBeVisible()
  else await settled(page, { ...state, busy: false })
  if (state.network === 'down') await expect(page.getByRole('alert').first()).toBeVisible()
  await state.open?.(page)
  await settled(page, state)
}

const sizeOf = ({ only }: State) => (only === 'narrow' ? { width: 390, height: 800 } : { width: 1280, height: 800 })

/** How long a page may take to come to rest. None of these waits has a limit of its own. */
const timeout = 30_000

/** Whether the navigation fits the window's width. After a resize, a phone's tab bar loads first. */
const hasItsFrame = () =>
  matchMedia('(max-width: 47.99em)').matches
    ? !document.querySelector('.panel-nav, .mantine-AppShell-footer:not(:has(a))')
    : !document.querySelector('.mantine-AppShell-footer')

/** Nothing loads any more, and what was to be drawn is drawn. */
export async function settled(page: Page, { network, busy }: Pick<State, 'network' | 'busy'>) {
  await page.waitForFunction(hasItsFrame, undefined, { timeout })
  if (!network && !busy) await page.waitForLoadState('networkidle', { timeout })
  if (network !== 'slow')
    await expect(page.getByRole('status', { name: 'Loading', includeHidden: true })).toHaveCount(0)
  await page.waitForFunction(
    () =>
      !document
        .getAnimations()
        .some(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity),
    undefined,
    { timeout },
  )
  await painted(page)
}
