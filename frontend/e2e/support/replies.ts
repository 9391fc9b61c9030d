import type { Page } from '@playwright/test'

/** The sandbox writes its replies in one line: in the panel's answers, these stand in their place. */
export async function replyWith(page: Page, text: string) {
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    await route.fulfill({
      response,
      body: body.replace(/"reply":"(?:[^"\\]|\\.)*"/g, () => `"reply":${JSON.stringify(text)}`),
    })
  })
}
