import type { Page } from '@playwright/test'
import { expectTame, hostileMessages, hostileNames, type Kind, paintedOutside } from './support/hostile'
import { fromMenu } from './support/menu'
import { chat, type Owner } from './support/owner'
import { expect, full, test } from './support/test'

test.use({ actionTimeout: 15_000 })

const kinds = Object.keys(hostileNames) as Kind[]

/** An account in which everything that can be named has a hostile name, and everything was said once. */
async function hostileAccount(owner: Owner, kind: Kind) {
  const name = hostileNames[kind]
  const instructions = hostileMessages[kind][0]
  const agent = await owner.newAgent({ name, instructions, model: 'sandbox/assistant' })
  const { apiKey, id: exportId } = await owner.newExport(agent.id, name)
  const label = kind === 'long' ? 'W'.repeat(255) : name
  for (const message of hostileMessages[kind]) {
    expect((await chat(apiKey, message, label)).status).toBe(200)
  }
  const gone = await owner.newExport(agent.id, name)
  await owner.gql('mutation($id: ID!) { removeApiExport(input: { id: $id }) { export { id } } }', { id: gone.id })
  const found = await owner.gql<{ agent: { conversations: { nodes: { id: string }[] } } }>(
    'query($id: ID!) { agent(id: $id) { conversations(first: 1) { nodes { id } } } }',
    { id: agent.id },
  )
  const conversation = found.agent.conversations.nodes[0]?.id ?? ''
  return { agent: agent.id, exportId, conversation, name, strangers: [name, label, ...hostileMessages[kind]] }
}

const widths = [1280, 360]

/** Looks at the page as it stands at both widths. */
async function expectTameAtAllWidths(page: Page, kind: Kind, strangers: string[], name: string) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 1200 })
    await expectTame(page, strangers)
    if (kind === 'marks') expect.soft(await paintedOutside(page), `${page.url()} at ${width} px`).toEqual([])
    if (process.env.E2E_SHOTS) await page.screenshot({ path: `${process.env.E2E_SHOTS}/${kind}-${name}-${width}.png` })
  }
  await page.setViewportSize({ width: 1280, height: 1200 })
}

for (const kind of kinds) {
  test(
    `acceptance 11: ${kind} in messages and names stays text on every page`,
    full(kind !== 'markup'),
    async ({ strictPage: page, newOwner }) => {
      test.slow()
      page.on('dialog', () => expect(null, 'a dialog opened').toBe('no dialog'))
      const owner = await newOwner({ name: hostileNames[kind] })
      const { agent, conversation, strangers } = await hostileAccount(owner, kind)
      const look = (name: string) => expectTameAtAllWidths(page, kind, strangers, name)
      const pages: [string, string, () => Promise<unknown>][] = [
        ['home', '/', () => page.getByRole('heading', { name: 'Latest conversations' }).waitFor()],
        ['agents', '/agents', () => page.getByRole('row').nth(1).waitFor()],
        ['agent', `/agents/${agent}`, () => page.getByRole('button', { name: 'More actions' }).waitFor()],
        [
          'channels',
          `/agents/${agent}?node=channels`,
          () => page.getByRole('region', { name: 'Exports in use' }).waitFor(),
        ],
        ['form', `/agents/${agent}?node=agent`, () => page.getByRole('textbox', { name: 'Instructions' }).waitFor()],
        ['playground', `/agents/${agent}/playground`, () => page.getByLabel('Message', { exact: true }).waitFor()],
        [
          'versions',
          `/agents/${agent}/versions?open=1`,
          () => page.getByRole('region', { name: 'Content of version 1' }).getByText('Settings').waitFor(),
        ],
        ['conversations', `/agents/${agent}/conversations`, () => page.getByRole('row').nth(1).waitFor()],
        ['transcript', `/conversations/${conversation}`, () => page.getByRole('article').first().waitFor()],
        ['exports', '/exports', () => page.getByRole('row').nth(1).waitFor()],
        ['credits', '/credits', () => page.getByTestId('credit-entry').first().waitFor()],
        ['settings', '/settings', () => page.getByRole('heading', { name: 'Settings' }).waitFor()],
      ]
      for (const [name, address, ready] of pages) {
        await page.goto(address)
        await ready()
        await look(name)
      }
    },
  )

  test(
    `acceptance 11: ${kind} in dialogs, notifications and menus stays text`,
    full(),
    async ({ strictPage: page, newOwner }) => {
      test.slow()
      const owner = await newOwner({ name: hostileNames[kind] })
      const { agent, conversation, strangers, name } = await hostileAccount(owner, kind)
      const look = (place: string) => expectTameAtAllWidths(page, kind, strangers, place)
      const dialog = page.getByRole('dialog')

      await page.goto(`/agents/${agent}`)
      await fromMenu(page, 'Delete agent')
      await expect(dialog.getByText('1 API export stops working')).toBeVisible()
      await look('delete-agent')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
      await look('menu')
      await page.keyboard.press('Escape')

      await page.goto(`/agents/${agent}?node=channels`)
      await page.getByRole('button', { name: /^Remove “/ }).click()
      await page.getByRole('button', { name: 'Remove export', exact: true }).waitFor()
      await look('remove-export')
      await page.getByRole('button', { name: 'Remove export', exact: true }).click()
      await expect(page.getByRole('alert').filter({ hasText: 'removed' })).toBeVisible()
      await look('removed')

      await page.goto(`/conversations/${conversation}`)
      await fromMenu(page, 'Delete this customer’s data')
      await expect(dialog.getByText('Only those with the agent')).toBeVisible()
      await look('delete-data')

      await page.goto(`/agents/${agent}`)
      await expect(page).toHaveTitle(/ · Agent Chat$/)
      if (kind === 'bidi') expect(unbalanced(await page.title())).toBe(false)
      await fromMenu(page, 'Duplicate agent')
      await expect(page.getByRole('alert').filter({ hasText: 'created' })).toBeVisible()
      await look('duplicated')
      const { agents } = await owner.gql<{ agents: { nodes: { name: string }[] } }>('{ agents { nodes { name } } }')
      expect(agents.nodes.map((one) => one.name)).toContain([...`Copy of ${name}`].slice(0, 100).join('').trim())

      await page.goto('/credits')
      await page.getByLabel('Agent', { exact: true }).first().click()
      await page.getByRole('option').first().waitFor()
      await look('agent-filter')
    },
  )

  test(`acceptance 11: ${kind} in the playground stays text`, full(), async ({ strictPage: page, newOwner }) => {
    test.slow()
    const owner = await newOwner()
    const agent = await owner.newAgent({ name: hostileNames[kind], instructions: hostileMessages[kind][0] })
    await page.goto(`/agents/${agent.id}/playground`)
    const composer = page.getByLabel('Message', { exact: true })
    for (const [number, message] of hostileMessages[kind].entries()) {
      await composer.fill(message)
      await page.getByRole('button', { name: 'Send' }).click()
      await expect(page.getByRole('article')).toHaveCount(number + 1)
      await expect(page.getByRole('article').nth(number)).toContainText('0 credits')
    }
    await expectTameAtAllWidths(page, kind, [hostileNames[kind], ...hostileMessages[kind]], 'chat')
    await page.getByRole('button', { name: 'As cURL' }).first().click()
    await page.getByRole('region', { name: 'Command' }).waitFor()
    await expectTameAtAllWidths(page, kind, [hostileNames[kind], ...hostileMessages[kind]], 'curl')
  })
}

/** Whether a text steers the words after it. */
function unbalanced(text: string): boolean {
  let depth = 0
  for (const letter of text) {
    if (/[\u2066-\u2068]/.test(letter)) depth++
    if (letter === '\u2069') depth--
    if (depth < 0 || (depth === 0 && /[\u202A-\u202E]/.test(letter))) return true
  }
  return depth !== 0
}

test('the comparison of pictures sees marks that leave their box', async ({ page }) => {
  await page.setContent(`<p style="margin: 200px; overflow: hidden">Z${'\u0301'.repeat(90)}</p>`)
  expect(await paintedOutside(page)).toEqual([])
  await page.setContent(`<p style="margin: 200px">Z${'\u0301'.repeat(90)}</p>`)
  expect(await paintedOutside(page)).toHaveLength(1)
})

test(
  'acceptance 11: a conversation of lines of 200 KB answers the reader',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const letters = '\u{1F600}'.repeat(32_768)
    const agent = await owner.newAgent({ instructions: letters })
    const { apiKey } = await owner.newExport(agent.id)
    const reply = (await chat(apiKey, `${'x'.repeat(32_000)} [[sandbox history]]`, 'long')).body.reply ?? ''
    expect(new TextEncoder().encode(reply).length).toBeGreaterThan(150_000)
    expect((await chat(apiKey, '[[sandbox words=50000]]', 'long')).body.reply?.length).toBeGreaterThan(200_000)
    await page.goto(`/agents/${agent.id}/conversations`)
    await page.getByRole('link', { name: 'long' }).click()
    await expect(page.getByRole('article')).toHaveCount(2)
    for (const button of await page.getByRole('button', { name: /^Show all [\d,]+ characters$/ }).all()) {
      const since = Date.now()
      await page
        .getByRole('button', { name: /^Show all [\d,]+ characters$/ })
        .first()
        .click()
      expect(Date.now() - since, String(button)).toBeLessThan(5_000)
    }
    await expect(page.getByRole('button', { name: /^Show all/ })).toHaveCount(0)
    const since = Date.now()
    await fromMenu(page, 'Delete conversation')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(Date.now() - since).toBeLessThan(5_000)
    await expectTame(page, [])
  },
)
