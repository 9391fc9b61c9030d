import type { Page } from '@playwright/test'

const refused = (code: string) => ({ data: null, errors: [{ message: 'Not now.', extensions: { code } }] })

/** Lets nothing of an agent be saved: other pictures show the same agent. In the page, so that it holds until the page has closed. */
export async function notSaved(page: Page, code = 'UNAVAILABLE') {
  await page.evaluate((answer) => {
    const { fetch } = window
    window.fetch = async (input, init) =>
      String(init?.body).includes('mutation UpdateAgent') ? Response.json(answer) : fetch(input, init)
  }, refused(code))
}

/** Shows an agent as if somebody had just changed the first line of its instructions. */
export async function changedElsewhere(page: Page) {
  await notSaved(page, 'CONFLICT')
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('query Agent(')) return route.fallback()
    const response = await route.fetch()
    const json = await response.json()
    const { agent } = json.data
    agent.instructions = `Answer in one sentence. ${agent.instructions}`
    agent.updatedAt = '2099-01-01T14:02:00Z'
    return route.fulfill({ response, json })
  })
}
