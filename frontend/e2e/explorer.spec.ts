import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { hostileName } from './support/hostile'
import { addresses, expect, long, signIn, test } from './support/test'

const operation = (page: Page) => page.getByRole('region', { name: 'Query Editor' }).locator('.CodeMirror')
/** The text area without a size that receives the keys. */
const editor = (page: Page) => operation(page).locator('textarea')
const answer = (page: Page) => page.getByRole('region', { name: 'Result Window' })

/** Opens the explorer and waits for its editor. */
async function open(page: Page) {
  await page.goto('/explorer')
  await expect(operation(page)).toContainText('creditsAvailable')
}

async function run(page: Page, text: string) {
  await editor(page).focus()
  await page.keyboard.press('ControlOrMeta+A')
  // Inserted at once, like pasted text: typing would close brackets and complete words.
  await page.keyboard.insertText(text)
  await page.keyboard.press('ControlOrMeta+Enter')
}

test('without a sign-in the explorer leads to one and back @long', async ({ strictPage: page }) => {
  await page.goto('/explorer')
  await expect(page).toHaveURL(/\/login\?next=%2Fexplorer$/)
  await signIn(page)
  await expect(page).toHaveURL(/\/explorer$/)
  await expect(page.getByRole('heading', { name: 'GraphQL explorer', level: 1 })).toBeVisible()
  await expect(page.getByRole('note')).toContainText('messages cost credits')
  await editor(page).focus()
  await page.keyboard.press('ControlOrMeta+Enter') // the initial query
  await expect(answer(page)).toContainText(addresses().demo.email)
})

test('the explorer runs operations with the signed-in account, and stores nothing @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner({ credits: 37 })
  const response = await page.goto('/explorer')
  const policy = response?.headers()['content-security-policy']
  expect(policy).toContain("default-src 'none'; script-src 'self';")
  expect(policy).toContain("img-src 'self' data:;")
  expect(policy).not.toMatch(/worker-src|unsafe-eval/)
  await run(page, '{ me { email } viewer { creditBalance } }')
  await expect(answer(page)).toContainText(`"email": "${owner.account.email}"`)
  await expect(answer(page)).toContainText('"creditBalance": 37')

  // Mutations are real: the panel's API shows what was made here.
  await run(
    page,
    'mutation { createAgent(input: { name: "By hand", model: "sandbox/free" }) { agent { name state } } }',
  )
  await expect(answer(page)).toContainText('"state": "DRAFT"')
  const { agents } = await owner.gql<{ agents: { nodes: { name: string }[] } }>('{ agents { nodes { name } } }')
  expect(agents.nodes).toEqual([{ name: 'By hand' }])
  expect(await page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)])).toEqual([[], []])
})

test('the explorer follows a subscription to its end, and shows its error @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const agent = await (await newOwner()).newAgent()
  await page.goto('/explorer')
  const events = '__typename ... on TestMessageEnded { turn { reply state } }'
  const say = (id: string) =>
    `subscription { testMessage(input: { agentId: "${id}", message: "Hello" }) { ${events} } }`
  await run(page, say(agent.id))
  await expect(answer(page)).toContainText('"state": "ANSWERED"')
  await expect(answer(page)).toContainText('TestMessageEnded')
  await run(page, say('00000000-0000-7000-8000-000000000000'))
  await expect(answer(page)).toContainText('"NOT_FOUND"')
})

test('a response stays text, and an image that it names is not loaded @long', async ({ page, newOwner }) => {
  const asked: string[] = []
  const foreign = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(foreign, 'listening')
  const address = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/seen.png`
  const owner = await newOwner()
  await owner.newAgent({ name: address })
  await owner.newAgent({ name: hostileName })
  await page.addInitScript(() => {
    const blocked: string[] = []
    Object.assign(window, { blocked })
    addEventListener('securitypolicyviolation', (event) => blocked.push(event.effectiveDirective))
  })
  await open(page)
  await run(page, '{ agents { nodes { name } } }')
  await expect(answer(page)).toContainText(hostileName)
  await expect(page.locator('img')).toHaveCount(0)

  await answer(page).getByText(`"${address}"`).hover()
  await expect(page.locator('img')).toHaveCount(1) // GraphiQL's preview
  const blocked = () => page.evaluate(() => (window as unknown as { blocked: string[] }).blocked.toSorted())
  await expect.poll(blocked).toEqual(['connect-src', 'img-src'])
  expect(asked).toEqual([])
  expect(await page.evaluate(() => 'hit' in window)).toBe(false)
  foreign.close()
})

test('a token that the service refuses is renewed, and the operation sent again @long', async ({ page, newOwner }) => {
  const owner = await newOwner()
  const tokens: string[] = []
  await page.route('**/graphql', async (route) => {
    const headers = route.request().headers()
    if (headers.authorization) tokens.push(headers.authorization)
    // The test corrupts the first token, so the service itself refuses it.
    if (tokens.length === 1) headers.authorization += 'x'
    await route.continue({ headers })
  })
  await open(page)
  await run(page, '{ me { email } }')
  await expect(answer(page)).toContainText(owner.account.email)
  expect(tokens).toHaveLength(2)
  await run(page, '{ viewer { name } }')
  await expect(answer(page)).toContainText('Test owner')
  expect(tokens).toHaveLength(3)
})

test('a sign-out keeps the typed operation, which continues after a sign-in in another tab @long', async ({
  page,
  newOwner,
}) => {
  const owner = await newOwner()
  await open(page)
  await run(page, '{ viewer { name } }')
  await expect(answer(page)).toContainText('Test owner')
  await owner.gql('mutation { signOut { __typename } }')
  await run(page, '{ me { email } }')
  await expect(page.getByRole('alert')).toContainText('You’ve been signed out')
  await expect(answer(page)).toContainText('UNAUTHENTICATED')

  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('alert').getByRole('link', { name: 'Sign in' }).click(),
  ])
  await signIn(tab, owner.account)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.bringToFront()
  await expect(operation(page)).toContainText('{ me { email } }')
  await editor(page).focus()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(answer(page)).toContainText(owner.account.email)

  // Signing out clears the responses of the account.
  await tab.getByRole('button', { name: /^Account:/ }).click()
  await tab.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('the explorer is linked in the API docs, and leads to the reference @long', async ({
  strictPage: page,
  newOwner,
}) => {
  await newOwner()
  await page.goto('/developers/graphql')
  const link = page.getByRole('link', { name: 'Open explorer' })
  await expect(link).toBeVisible()
  for (let pressed = 0; pressed < 30 && !(await link.evaluate((node) => node === document.activeElement)); pressed++) {
    await page.keyboard.press('Tab')
  }
  await expect(link).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(operation(page)).toContainText('creditsAvailable')
  await page.getByRole('link', { name: 'API docs' }).click()
  await expect(page).toHaveURL(/\/developers$/)
})

test('the editors do not trap the keyboard @long', async ({ strictPage: page, newOwner }) => {
  await newOwner()
  await open(page)
  for (const key of ['Tab', 'Shift+Tab']) {
    await editor(page).focus()
    await page.keyboard.press(key)
    await expect(editor(page)).not.toBeFocused()
  }
  await expect(operation(page)).toContainText('creditsAvailable')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `acceptance 1: the explorer has no WCAG violation of ours, ${colorScheme}`,
    long,
    async ({ strictPage: page, newOwner }) => {
      await newOwner()
      // The panel's colour scheme overrides the system's.
      await page.emulateMedia({ colorScheme: colorScheme === 'light' ? 'dark' : 'light', reducedMotion: 'reduce' })
      await page.addInitScript((chosen) => localStorage.setItem('mantine-color-scheme-value', chosen), colorScheme)
      await open(page)
      await expect(page.locator('body')).toHaveClass(`graphiql-${colorScheme}`)
      // GraphiQL has violations of its own: tabs contain buttons, editors have no names, and colours are faint.
      const axe = new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      const { violations } = await axe.exclude('.graphiql-container').analyze()
      expect(violations).toEqual([])
    },
  )
}
