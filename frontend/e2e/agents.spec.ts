import type { Page } from '@playwright/test'
import { fromMenu } from './support/menu'
import { chat, type Owner } from './support/owner'
import { expect, full, signIn, test } from './support/test'

const save = (page: Page) => page.getByRole('button', { name: 'Save changes' })
const instructions = (page: Page) => page.getByRole('textbox', { name: 'Instructions' })
const note = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const whenPublished = 'Saved to the draft. Callers get it when you publish.'
const leaving = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })

async function openForm(page: Page, id: string) {
  await page.goto(`/agents/${id}?node=agent`)
  await expect(instructions(page)).toBeVisible()
}

async function stored(owner: Owner, id: string) {
  const { agent } = await owner.gql<{ agent: { name: string; instructions: string; description: string } }>(
    'query($id: ID!) { agent(id: $id) { name instructions description } }',
    { id },
  )
  return agent
}

test('acceptance 14: saving a live agent says that callers get it when it is published, and so they do', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ instructions: 'Old words.' })
  const { apiKey } = await owner.newExport(agent.id)
  await openForm(page, agent.id)
  await expect(page.getByText('Changes are saved to the draft. Callers get them when you publish.')).toBeVisible()
  await instructions(page).fill('New words.')
  await expect(page.getByText('Not saved yet. Saving changes the draft only.')).toBeVisible()
  await save(page).click()
  await expect(note(page, whenPublished)).toBeVisible()
  expect((await chat(apiKey, 'Hello')).body.reply).toContain('Old words.')
  await expect(save(page)).toBeDisabled()
  await owner.publish(agent.id)
  expect((await chat(apiKey, 'Hello')).body.reply).toContain('New words.')

  const draft = await owner.newAgent({ publish: false })
  await openForm(page, draft.id)
  await instructions(page).fill('For later.')
  await save(page).click()
  await expect(note(page, 'Saved')).toBeVisible()
  await expect(note(page, whenPublished)).toHaveCount(0)
})

test('acceptance 14: a change of another tab is shown and not overwritten', full(), async ({ page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ instructions: 'At first.' })
  await openForm(page, agent.id)
  const other = await page.context().newPage()
  await openForm(other, agent.id)

  await instructions(page).fill('Written here.')
  await instructions(other).fill('Written there.')
  await save(other).click()
  await expect(note(other, whenPublished)).toBeVisible()

  await save(page).click()
  const conflict = page.getByRole('alert').filter({ hasText: 'This agent was changed elsewhere' })
  await expect(conflict).toContainText('Your changes have not been saved.')
  await expect(conflict.getByRole('region', { name: /Instructions$/ })).toHaveText('Written there.')
  await expect(instructions(page)).toHaveValue('Written here.')
  expect(await stored(owner, agent.id)).toMatchObject({ instructions: 'Written there.' })

  await conflict.getByRole('button', { name: 'Keep my changes' }).click()
  await expect(conflict).toHaveCount(0)
  await save(page).click()
  await expect(note(page, whenPublished)).toBeVisible()
  expect(await stored(owner, agent.id)).toMatchObject({ instructions: 'Written here.' })

  await instructions(other).fill('Written there again.')
  await save(other).click()
  const theirs = other.getByRole('alert').filter({ hasText: 'This agent was changed elsewhere' })
  await theirs.getByRole('button', { name: 'Use the other version' }).click()
  await expect(instructions(other)).toHaveValue('Written here.')
  await expect(save(other)).toBeDisabled()
})

test(
  'acceptance 14: a change to another field elsewhere is no conflict, and is kept',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent()
    await openForm(page, agent.id)
    await instructions(page).fill('Written here.')
    await owner.change(agent.id, { model: 'sandbox/assistant' })
    await save(page).click()
    await expect(note(page, whenPublished)).toBeVisible()
    const { agent: now } = await owner.gql<{ agent: { instructions: string; model: { name: string } } }>(
      'query($id: ID!) { agent(id: $id) { instructions model { name } } }',
      { id: agent.id },
    )
    expect(now).toEqual({ instructions: 'Written here.', model: { name: 'sandbox/assistant' } })
  },
)

test(
  'acceptance 14: leaving unsaved instructions needs a confirmation',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent({ instructions: 'Saved.' })
    await page.goto('/agents')
    await page.getByRole('link', { name: agent.name }).click()
    await page.getByRole('button', { name: /^Agent / }).click()
    await instructions(page).fill('Not saved.')

    // Another page of the agent, the list, and Back twice: each asks, and staying keeps what was typed and the address.
    const asked = async (leave: () => Promise<unknown>) => {
      await leave()
      await expect(leaving(page)).toBeVisible()
      await expect(leaving(page).getByRole('button', { name: 'Keep editing' })).toBeFocused()
      await leaving(page).getByRole('button', { name: 'Keep editing' }).click()
      await expect(leaving(page)).toHaveCount(0)
      await expect(instructions(page)).toHaveValue('Not saved.')
      await expect(page).toHaveURL(new RegExp(`/agents/${agent.id}\\?node=agent$`))
    }
    await asked(() => page.getByRole('link', { name: 'Playground' }).click())
    await asked(() => page.getByRole('link', { name: 'Agents', exact: true }).first().click())
    await asked(() => page.evaluate(() => history.go(-2)))

    // Closing the tab, or reloading it: the browser's own question.
    const question = page.waitForEvent('dialog')
    const reloading = page.evaluate(() => location.reload())
    const dialog = await question
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await reloading
    await expect(instructions(page)).toHaveValue('Not saved.')

    await page.getByRole('link', { name: 'Versions' }).click()
    await leaving(page).getByRole('button', { name: 'Discard changes' }).click()
    await expect(page).toHaveURL(/\/versions$/)
    expect(await stored(owner, agent.id)).toMatchObject({ instructions: 'Saved.' })
    await page.getByRole('link', { name: 'Build' }).click()
    await expect(instructions(page)).toHaveValue('Saved.')
  },
)

test(
  'acceptance 14: leaving unsaved instructions in the playground needs a confirmation',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent({ instructions: 'Saved.' })
    await page.goto('/agents')
    await page.goto(`/agents/${agent.id}/playground`)
    const text = page.getByRole('textbox', { name: 'Instructions' })
    await text.fill('Not saved.')
    await page.getByRole('link', { name: 'Build' }).click()
    await leaving(page).getByRole('button', { name: 'Keep editing' }).click()
    await expect(text).toHaveValue('Not saved.')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText(whenPublished)).toBeVisible()
    await page.getByRole('link', { name: 'Build' }).click()
    await expect(page).toHaveURL(new RegExp(`/agents/${agent.id}$`))
    expect(await stored(owner, agent.id)).toMatchObject({ instructions: 'Not saved.' })
  },
)

for (const place of ['form', 'playground'] as const) {
  test(
    `acceptance 14: the draft of the ${place} is restored after an expired session`,
    full(),
    async ({ page, newOwner }) => {
      const owner = await newOwner()
      const agent = await owner.newAgent({ instructions: 'Saved.' })
      const address = place === 'form' ? `/agents/${agent.id}?node=agent` : `/agents/${agent.id}/playground`
      const text = page.getByRole('textbox', { name: 'Instructions' })
      const button = page.getByRole('button', { name: 'Save changes' })
      await page.goto(address)
      await text.fill('A long draft.')
      await owner.gql('mutation { signOutEverywhere { ok } }')
      await button.click()
      await expect(page).toHaveURL(/\/login\?next=/)
      await signIn(page, owner.account)
      await expect(page).toHaveURL(address)
      await expect(text).toHaveValue('A long draft.')
      await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
      await button.click()
      await expect(page.getByText(whenPublished).first()).toBeVisible()
      expect((await stored(await newOwnerAgain(owner), agent.id)).instructions).toBe('A long draft.')
    },
  )
}

/** The same owner with a new sign-in. */
async function newOwnerAgain(owner: Owner): Promise<Owner> {
  return (owner.constructor as typeof Owner).signIn(owner.account)
}

test('a draft of one owner is never shown to another', async ({ page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ instructions: 'Saved.' })
  await openForm(page, agent.id)
  await instructions(page).fill('A secret draft.')
  await owner.gql('mutation { signOutEverywhere { ok } }')
  await save(page).click()
  await expect(page).toHaveURL(/\/login\?next=/)
  await signIn(page)
  await expect(page.getByRole('alert')).toContainText('This does not exist')
  await expect(page.getByText('A secret draft.')).toHaveCount(0)
})

test('a copied agent has everything except the exports', full(), async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', instructions: 'Take orders.', model: 'sandbox/assistant' })
  await owner.change(agent.id, { description: 'For the shop.' })
  await owner.change(agent.id, { temperature: 0.5, maxOutputTokens: 100 })
  await owner.newExport(agent.id)
  await page.goto(`/agents/${agent.id}`)
  await fromMenu(page, 'Duplicate agent')
  await expect(page.getByRole('heading', { name: 'Copy of Order desk', level: 1 })).toBeVisible()
  await expect(note(page, 'Agent “Copy of Order desk” created')).toBeVisible()
  await expect(page).not.toHaveURL(new RegExp(agent.id))
  const fields = 'instructions description temperature maxOutputTokens state model { name } exports { id }'
  const { agents } = await owner.gql<{ agents: { nodes: Record<string, unknown>[] } }>(
    `{ agents { nodes { name ${fields} } } }`,
  )
  expect(agents.nodes[0]).toEqual({
    name: 'Copy of Order desk',
    instructions: 'Take orders.',
    description: 'For the shop.',
    temperature: 0.5,
    maxOutputTokens: 100,
    state: 'DRAFT',
    model: { name: 'sandbox/assistant' },
    exports: [],
  })
})

test('deleting an agent names what stops, and it stops', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk' })
  const { apiKey } = await owner.newExport(agent.id)
  await owner.newExport(agent.id)
  await page.goto(`/agents/${agent.id}`)
  await fromMenu(page, 'Delete agent')
  const dialog = page.getByRole('dialog', { name: 'Delete agent “Order desk”?' })
  await expect(dialog).toContainText('Its 2 API exports stop working immediately. Its conversations are deleted too.')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  expect((await chat(apiKey, 'Hello')).status).toBe(200)
  await fromMenu(page, 'Delete agent')
  await dialog.getByRole('button', { name: 'Delete agent' }).click()
  await expect(page).toHaveURL(/\/agents$/)
  await expect(note(page, 'Agent “Order desk” deleted')).toBeVisible()
  await expect(page.getByText('No agents yet')).toBeVisible()
  expect((await chat(apiKey, 'Hello')).status).toBe(401)
})

test('a draft lists what is missing, with links', full(), async ({ strictPage: page, newOwner }) => {
  await newOwner()
  await page.goto('/agents')
  await page.getByRole('button', { name: 'New agent' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New agent' })
  await dialog.getByRole('button', { name: 'Create agent' }).click()
  await expect(dialog.getByText('This field is required.')).toBeVisible()
  await dialog.getByLabel('Name').fill('Bare')
  await dialog.getByRole('button', { name: 'Create agent' }).click()
  await expect(page.getByRole('heading', { name: 'Bare', level: 1 })).toBeVisible()
  const publish = page.getByRole('button', { name: 'Publish' })
  await expect(publish).toBeDisabled()
  await expect(publish).toHaveAccessibleDescription(/Write its instructions.*Choose a model that is available/)

  await page.getByRole('link', { name: 'Write its instructions' }).click()
  await expect(page).toHaveURL(/node=agent/)
  await instructions(page).fill('Be brief.')
  await save(page).click()
  await expect(note(page, 'Saved')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Write its instructions' })).toHaveCount(0)

  await page.getByRole('link', { name: 'Choose a model that is available' }).click()
  await page.getByRole('radio', { name: /free/i }).check()
  await save(page).click()
  await expect(page.getByRole('link', { name: 'Choose a model that is available' })).toHaveCount(0)
  await expect(page.getByText('Nothing is missing. Publish the agent to let it answer callers.')).toBeVisible()
  await publish.click()
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await expect(page.getByText('Callers get version 1.', { exact: true })).toBeVisible()
})

test(
  'invalid input is reported at its field, by the form and by the service',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent()
    await openForm(page, agent.id)
    await page.locator('summary', { hasText: 'Name and description' }).click()
    await page.locator('summary', { hasText: 'Limits' }).click()
    const name = page.getByRole('textbox', { name: 'Name' })
    const wrong = async (field: ReturnType<Page['getByLabel']>, value: string, message: string) => {
      await field.fill(value)
      await save(page).click()
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toHaveAccessibleDescription(new RegExp(message))
      await expect(field).toBeFocused()
    }
    await wrong(name, 'x'.repeat(101), 'Use at most 100 characters.')
    await name.fill('Fits')
    await wrong(page.getByLabel('Temperature'), '2.5', 'Must be between 0 and 2')
    await page.getByLabel('Temperature').fill('2')
    await wrong(page.getByLabel('Max output tokens'), '0', 'Must be a whole number between 1')
    await page.getByLabel('Max output tokens').fill('')
    await wrong(instructions(page), '\u{1F600}'.repeat(32_769), 'Use at most 32768 characters.')
    // As many as it takes, counted as the service counts them.
    await instructions(page).fill('\u{1F600}'.repeat(32_768))
    await expect(page.getByText('32,768 of 32,768 characters')).toBeVisible()
    await save(page).click()
    await expect(note(page, whenPublished)).toBeVisible()
    // The form does not know these: the service says so, and its words stand at the field.
    await wrong(name, 'A\u0001B', 'control character')
    await name.fill('Fits')
    // A draft may be incomplete.
    await instructions(page).fill(' ')
    await save(page).click()
    await expect(page.getByRole('link', { name: 'Write its instructions', includeHidden: true })).toBeAttached()
  },
)
