import type { Page } from '@playwright/test'

const refused = (code: string) => ({ data: null, errors: [{ message: 'Not now.', extensions: { code } }] })

/** Lets nothing of an agent be saved: other pictures show the same agent. */
export async function notSaved(page: Page, code = 'UNAVAILABLE') {
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('mutation UpdateAgent')
      ? route.fulfill({ json: refused(code) })
      : route.fallback(),
  )
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
