import type { Page } from '@playwright/test'
import { operationsOf, separate } from '../support/operations'
import { expect } from '../support/test'
import type { Person, Place } from './world'

/** One state of one page: its address, its user, and how to get there. */
export type State = {
  /** Unique; also the name of the picture. */
  name: string
  /** The route, as src/routeTree.gen.ts names it. */
  route: string
  as: Person | 'visitor'
  path: (place: Place) => string
  /** Brings the loaded page into this state, and ends when it is reached. */
  open?: (page: Page) => Promise<unknown>
  /** Requests get no response (slow) or fail (down). Such pages need not settle. */
  network?: 'slow' | 'down'
  /** The page has status 404, which the browser logs. */
  missing?: boolean
  /** A request is expected to be in flight. */
  busy?: boolean
  /** Only in windows with, or without, room for the navigation. */
  only?: 'wide' | 'narrow'
}

/** A path that is the same for every user. */
export const at = (path: string) => () => path
/** A page of a person's agent. */
export const agent =
  (rest = '') =>
  (place: Place) =>
    `/agents/${place.agent}${rest}`
/** A person's conversation. */
export const transcript = ({ conversation }: Place) => `/activity/conversations/${conversation}`

/** A state for wide windows and one for phones, which have the menu elsewhere: a resize would close it. */
export const perWidth = (state: State): State[] => [
  { ...state, only: 'wide' },
  { ...state, name: `${state.name}-phone`, only: 'narrow' },
]

/** Presses a button and waits for what it opens. */
export const press =
  (name: string | RegExp, opens: 'dialog' | 'menu' | 'listbox' = 'dialog') =>
  async (page: Page) => {
    await page.getByRole('button', { name }).first().click()
    await expect(page.getByRole(opens).last()).toBeVisible()
  }

/** Waits for the Channels tab. */
export const node = async (page: Page) => {
  await expect(page.getByRole('main').getByRole('heading', { name: 'API', exact: true })).toBeVisible()
}

/** Opens the publish dialog, and waits for its comparison. */
export const publishing = async (page: Page) => {
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByRole('dialog').getByLabel('Note (optional)')).toBeVisible()
}

/** Sends messages in the playground, each after the reply to the one before. */
export const send = async (page: Page, ...messages: string[]) => {
  for (const [done, message] of messages.entries()) {
    await page.getByRole('textbox', { name: 'Message' }).fill(message)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByRole('article')).toHaveCount(done + 1)
    if (!message.includes('delay')) await expect(page.getByText('Waiting for the reply…')).toHaveCount(0)
  }
}

/** Opens a phone's filters. */
export const sheet = press(/^Filters/)

/** Answers an operation as a service in another state would; other operations reach the service. */
export const answered = (page: Page, operation: string, answer: object) =>
  page.route('**/graphql', async (route) => {
    const asked = operationsOf(route.request())
    if (!asked.includes(operation)) return route.fallback()
    if (asked.length > 1) return separate(route)
    await route.fulfill({ json: answer })
  })

/** Refuses an operation with a code. */
export const refused = (page: Page, operation: string, code: string, message: string) =>
  answered(page, operation, { data: null, errors: [{ message, extensions: { code, requestId: 'of-a-state' } }] })

/** Submits an empty form. */
export const submit = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).click()
  await expect(page.getByText('This field is required.').first()).toBeVisible()
}
