import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { addresses, expect, full, signIn, test } from './support/test'

const operation = (page: Page) => page.getByRole('region', { name: 'Query Editor' }).locator('.CodeMirror')
/** Where its keys go: a text area of no size. */
const editor = (page: Page) => page.getByRole('textbox', { name: 'Query Editor' })
const answer = (page: Page) => page.getByRole('region', { name: 'Result Window' })

/** Opens the explorer and waits for its editor. */
async function open(page: Page) {
  await page.goto('/explorer')
  await expect(operation(page)).toContainText('creditsAvailable')
}

async function run(page: Page, text: string) {
  await editor(page).focus()
  await page.keyboard.press('ControlOrMeta+A')
  // As one piece, as pasting does: typing would have brackets closed and words completed.
  await page.keyboard.insertText(text)
  await page.keyboard.press('ControlOrMeta+Enter')
}

async function violations(page: Page) {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const { violations: found } = await new AxeBuilder({ page }).withTags(tags).analyze()
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

test('without a sign-in the explorer leads to one and back', async ({ strictPage: page }) => {
  await page.goto('/explorer')
  await expect(page).toHaveURL(/\/login\?next=%2Fexplorer$/)
  await signIn(page)
  await expect(page).toHaveURL(/\/explorer$/)
  await expect(page.getByRole('heading', { name: 'GraphQL explorer', level: 1 })).toBeVisible()
  await expect(page.getByRole('note')).toContainText('messages cost credits')
  await run(page, '{ viewer { email } }')
  await expect(answer(page)).toContainText(addresses().demo.email)
})

test('the explorer runs operations with the signed-in account, and stores nothing', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner({ credits: 37 })
  const response = await page.goto('/explorer')
  const policy = response?.headers()['content-security-policy']
  expect(policy).toContain("default-src 'none'; script-src 'self';")
  expect(policy).not.toMatch(/font-src|worker-src|unsafe-eval/)
  await run(page, '{ viewer { email creditBalance } }')
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

test(
  'the explorer follows a subscription to its end, and shows its refusal',
  full(),
  async ({ strictPage: page, newOwner }) => {
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
  },
)

test(
  'the explorer completes by the schema, and shows errors as the service words them',
  full(),
  async ({ strictPage: page, newOwner }) => {
    await newOwner()
    await open(page)
    await run(page, '{ agent(id: "0199c0de-0000-7000-8000-000000000000") { name } }')
    await expect(answer(page)).toContainText('"code": "NOT_FOUND"')
    await expect(answer(page)).toContainText('"requestId"')

    await editor(page).focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText('{ viewer { credits')
    await page.keyboard.press('Control+Space')
    await expect(page.locator('.CodeMirror-hints')).toContainText('creditsAvailable')
  },
)

test('the explorer documents the schema with its descriptions', full(), async ({ strictPage: page, newOwner }) => {
  await newOwner()
  await open(page)
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
  await page.getByRole('link', { name: 'Mutation', exact: true }).click()
  await page.getByRole('link', { name: 'createAgent', exact: true }).click()
  await expect(page.getByText('Creates an agent, as a draft.')).toBeVisible()
})

test('an image that an answer names is not loaded', full(), async ({ strictPage: page, newOwner }) => {
  const address = 'https://pixel.example/seen.png'
  const owner = await newOwner()
  await owner.newAgent({ name: address })
  await page.clock.install()
  await open(page)
  await run(page, '{ agents { nodes { name } } }')
  const name = answer(page).getByText(`"${address}"`)
  await expect(name).toBeVisible()
  await name.hover()
  await page.clock.runFor(5_000) // a preview would open half a second after the pointer came to rest
  await expect(page.locator('img')).toHaveCount(0)
  await expect(page.locator('.CodeMirror-info')).toHaveCount(0)
})

test(
  'a sign-out keeps the typed operation, which continues after a sign-in in another tab',
  full(),
  async ({ page, newOwner }) => {
    const owner = await newOwner()
    await open(page)
    await run(page, '{ viewer { name } }')
    await expect(answer(page)).toContainText('Test owner')
    await owner.gql('mutation { signOut { __typename } }')
    await run(page, '{ viewer { email } }')
    await expect(page.getByRole('alert')).toContainText('You have been signed out')
    await expect(answer(page)).toContainText('UNAUTHENTICATED')

    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('alert').getByRole('link', { name: 'Sign in' }).click(),
    ])
    await signIn(tab, owner.account)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.bringToFront()
    await expect(operation(page)).toContainText('{ viewer { email } }')
    await editor(page).focus()
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(answer(page)).toContainText(owner.account.email)

    // Signing out is leaving: the answers of the account go with it.
    await tab.getByRole('button', { name: /^Account of/ }).click()
    await tab.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/login$/)
  },
)

test(
  'the explorer is linked at the foot of the panel and from the API reference',
  full(),
  async ({ strictPage: page, newOwner }) => {
    await newOwner()
    await page.goto('/agents')
    const link = page.getByRole('link', { name: 'GraphQL explorer' })
    await expect(link).toBeVisible()
    for (
      let pressed = 0;
      pressed < 20 && !(await link.evaluate((node) => node === document.activeElement));
      pressed++
    ) {
      await page.keyboard.press('Tab')
    }
    await expect(link).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(operation(page)).toContainText('creditsAvailable')
    await page.getByRole('link', { name: 'API reference' }).click()
    await page.getByRole('main').getByRole('link', { name: 'GraphQL explorer' }).click()
    await expect(operation(page)).toContainText('creditsAvailable')
  },
)

test(
  'the keyboard scrolls a long answer, and is not caught in an editor',
  full(),
  async ({ strictPage: page, newOwner }) => {
    await newOwner()
    await open(page)
    await run(page, '{ models { name provider creditsPerMessage available } }')
    await expect(answer(page)).toContainText('sandbox/free')
    await page.getByRole('textbox', { name: 'Result Window' }).focus()
    const scrolled = () => answer(page).evaluate((node) => node.querySelector('.CodeMirror-scroll')?.scrollTop ?? 0)
    await page.setViewportSize({ width: 1280, height: 300 })
    await page.keyboard.press('PageDown')
    await page.keyboard.press('PageDown')
    await expect.poll(scrolled).toBeGreaterThan(50)

    await editor(page).focus()
    await page.keyboard.press('Tab')
    await expect(editor(page)).not.toBeFocused()

    // The answer's text is a stop too, and only while there is more of it than fits.
    const text = page.getByRole('group', { name: 'Result Window' })
    await expect(text).toHaveAttribute('tabindex', '0')
    await page.getByRole('textbox', { name: 'Result Window' }).focus()
    await page.keyboard.press('Tab')
    await expect(text).toBeFocused()
    await expect(answer(page).locator('.CodeMirror')).toHaveCSS('outline-style', 'solid')
    const before = await scrolled()
    await page.keyboard.press('ArrowUp')
    await expect.poll(scrolled).toBeLessThan(before)
    await page.setViewportSize({ width: 1280, height: 2000 })
    await expect(text).toHaveAttribute('tabindex', '-1')
  },
)

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(
      `the explorer has no WCAG violation, ${colorScheme}, ${width} px`,
      full(),
      async ({ strictPage: page, newOwner }) => {
        await newOwner()
        // The panel's choice, against the system's.
        await page.emulateMedia({ colorScheme: colorScheme === 'light' ? 'dark' : 'light', reducedMotion: 'reduce' })
        await page.addInitScript((chosen) => localStorage.setItem('mantine-color-scheme-value', chosen), colorScheme)
        await page.setViewportSize({ width, height: 800 })
        await open(page)
        await expect(page.locator('body')).toHaveClass(`graphiql-${colorScheme}`)
        await run(page, '# Mine\nquery Mine($n: Int = 3) { viewer { email } agents(first: $n) { nodes { id } } }')
        await expect(answer(page)).toContainText('"nodes"')
        expect(await violations(page)).toEqual([])
        await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
        await page.getByRole('link', { name: 'Query', exact: true }).click()
        await expect(page.getByText('The account that is signed in.')).toBeVisible()
        expect(await violations(page)).toEqual([])
        await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click()
        await page.getByRole('button', { name: 'Show History' }).click()
        await expect(page.getByRole('region', { name: 'History' })).toBeVisible()
        expect(await violations(page)).toEqual([])
        await page.getByRole('button', { name: 'Open short keys dialog' }).click()
        await expect(page.getByRole('dialog')).toBeVisible()
        expect(await violations(page)).toEqual([])
      },
    )
  }
}
