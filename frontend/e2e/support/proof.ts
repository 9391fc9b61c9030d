import type { Page } from '@playwright/test'

const message =
  'Confirm your password with confirmPassword, then send this again: it was last given more than 10 minutes ago.'

/** Refuses a mutation until the service has taken the password, as it does ten minutes after it took one. All else reaches the service. */
export async function proofTooOld(page: Page, mutation: string) {
  let proven = false
  await page.route('**/graphql', async (route) => {
    const asked = route.request().postData() ?? ''
    if (asked.includes('confirmPassword(')) {
      const response = await route.fetch()
      proven ||= !(await response.json()).errors
      return route.fulfill({ response })
    }
    if (proven || !new RegExp(`\\b${mutation}\\b`).test(asked)) return route.fallback()
    const extensions = { code: 'REAUTHENTICATION_REQUIRED', requestId: 'too-old' }
    await route.fulfill({ json: { data: null, errors: [{ message, path: [mutation], extensions }] } })
  })
}
