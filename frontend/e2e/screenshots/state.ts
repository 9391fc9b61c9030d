import type { Page } from '@playwright/test'
import { expect } from '../support/test'
import type { Person, Place } from './world'

/** One state of one page: where it is, whose it is, and how to get there. */
export type State = {
  /** Unique; names the picture too. */
  name: string
  /** The route, as src/routeTree.gen.ts names it. */
  route: string
  as: Person | 'visitor'
  path: (place: Place) => string
  /** What brings the page into this state once it is loaded. It ends when the state is there. */
  open?: (page: Page) => Promise<unknown>
  /** What the network does meanwhile. Such pages are not waited for. */
  network?: 'slow' | 'down'
  /** The page is answered with 404, which the browser's console tells. */
  missing?: boolean
  /** A request is meant to be under way. */
  busy?: boolean
  /** Only where there is, or is not, room for the navigation. */
  only?: 'wide' | 'narrow'
}

/** A path that is the same for everybody. */
export const at = (path: string) => () => path
/** A page of a person's agent. */
export const agent =
  (rest = '') =>
  (place: Place) =>
    `/agents/${place.agent}${rest}`
/** A person's conversation. */
export const transcript = ({ conversation }: Place) => `/activity/conversations/${conversation}`

/** Presses a button and waits for what it opens. */
export const press =
  (name: string | RegExp, opens: 'dialog' | 'menu' | 'listbox' = 'dialog') =>
  async (page: Page) => {
    await page.getByRole('button', { name }).first().click()
    await expect(page.getByRole(opens).last()).toBeVisible()
  }

/** Waits for the drawer of a node. */
export const node = async (page: Page) => {
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('button').nth(1)).toBeVisible()
}

/** Presses a button of the open drawer. */
export const within =
  (name: string | RegExp, opens: (page: Page) => Promise<unknown> = async () => {}) =>
  async (page: Page) => {
    await node(page)
    await page.getByRole('dialog').getByRole('button', { name }).first().click()
    await opens(page)
  }

/** Opens the publish dialog, with what it compares. */
export const publishing = async (page: Page) => {
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByRole('dialog').getByLabel('Note (optional)')).toBeVisible()
}

/** Sends messages in the playground, each after the reply to the one before. */
export const send = async (page: Page, ...messages: string[]) => {
  for (const [done, message] of messages.entries()) {
    await page.getByRole('textbox', { name: 'Message' }).fill(message)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByRole('article')).toHaveCount(done + 1)
    if (!message.includes('delay')) await expect(page.getByText('Waiting for the reply')).toHaveCount(0)
  }
}

/** Opens a phone's filters. */
export const sheet = press(/^Filters/)

/** Answers an operation as a service in another state would; all else reaches the service. */
export const answered = (page: Page, operation: string, answer: object) =>
  page.route('**/graphql', async (route) => {
    const asked = route.request().postData() ?? ''
    if (!new RegExp(`\\b(query|mutation) ${operation}\\b`).test(asked)) return route.fallback()
    await route.fulfill({ json: answer })
  })

/** Refuses an operation with a code. */
export const refused = (page: Page, operation: string, code: string, message: string) =>
  answered(page, operation, { data: null, errors: [{ message, extensions: { code, requestId: 'of-a-state' } }] })

/** Sends a form that is not filled in. */
export const submit = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).click()
  await expect(page.getByText('This field is required.').first()).toBeVisible()
}
