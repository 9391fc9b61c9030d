import type { Page } from '@playwright/test'
import { operationsOf, separate } from '../support/operations'

const refused = (code: string) => ({ data: null, errors: [{ message: 'Not now.', extensions: { code } }] })

/** Lets nothing of an agent be saved: other pictures show the same agent. In the page, so that it holds until the page has closed. */
export async function notSaved(page: Page, code = 'UNAVAILABLE') {
  await page.evaluate((answer) => {
    const { fetch } = window
    window.fetch = async (input, init) => {
      if (!String(init?.body).includes('mutation UpdateAgent')) return fetch(input, init)
      document.body.dataset.refused = 'true'
      return Response.json(answer)
    }
  }, refused(code))
}

/**
 * Shows an agent as if another person had just changed the first line of its instructions: once a save was refused, because a page that
 * reads the agent earlier on its own has no conflict.
 */
export async function changedElsewhere(page: Page) {
  await notSaved(page, 'CONFLICT')
  await page.route('**/graphql', async (route) => {
    const wasRefused = () => page.evaluate(() => 'refused' in document.body.dataset)
    const asked = operationsOf(route.request())
    if (!asked.includes('Agent') || !(await wasRefused())) return route.fallback()
    if (asked.length > 1) return separate(route)
    const response = await route.fetch()
    const json = await response.json()
    const { agent } = json.data
    agent.instructions = `Answer in one sentence. ${agent.instructions}`
    agent.updatedAt = '2099-01-01T14:02:00Z'
    return route.fulfill({ response, json })
  })
}
