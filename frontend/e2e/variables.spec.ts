import type { Page } from '@playwright/test'
import { channels, copied } from './support/channels'
import type { Owner } from './support/owner'
import { missing, run, runtimes } from './support/runtimes'
import { addresses, expect, full, test } from './support/test'

const instructions = 'Help with order {{order_id}} in a {{tone}} tone.'
const orderId = { name: 'order_id', description: 'The order the caller asks about', required: true }
const tone = { name: 'tone', description: 'How to speak', required: false, defaultValue: 'friendly' }

const openVariables = (page: Page) => page.locator('summary', { hasText: 'Variables' }).click()
const editor = (page: Page) => page.getByRole('region', { name: 'Variables' })
const row = (page: Page, name: string) => editor(page).getByRole('group', { name: `Variable ${name}`, exact: true })
const values = (page: Page) => page.getByRole('region', { name: 'Values' })
const last = (page: Page) => page.getByRole('article').last()
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Publish “Order desk”' })

/** A published agent with a required variable and one with a default value. */
async function orderDesk(owner: Owner) {
  const agent = await owner.newAgent({ name: 'Order desk', instructions, publish: false })
  await owner.change(agent.id, { variables: [orderId, tone] })
  await owner.publish(agent.id)
  return agent
}

async function say(page: Page, message: string) {
  await page.getByRole('textbox', { name: 'Message' }).fill(message)
  await page.getByRole('button', { name: 'Send' }).click()
}

/** What the service has stored of an agent's playground conversations, the latest first. */
async function stored(owner: Owner, id: string) {
  const query = `query($id: ID!) { agent(id: $id) { conversations(first: 10) { nodes {
    userId turns(first: 10) { nodes { userId variables { name value } } } } } } }`
  type Turn = { userId: string | null; variables: { name: string; value: string }[] }
  const { agent } = await owner.gql<{
    agent: { conversations: { nodes: { userId: string | null; turns: { nodes: Turn[] } }[] } }
  }>(query, { id })
  return agent.conversations.nodes.map(({ userId, turns }) => ({ userId, turns: turns.nodes }))
}

test('variables are declared in the panel, published, and get their values with each message', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', publish: false })
  await page.goto(`/agents/${agent.id}?node=agent`)
  await page.getByRole('textbox', { name: 'Instructions' }).fill(instructions)
  await openVariables(page)
  await expect(editor(page).getByText('Used but not declared: tone')).toBeVisible()
  await editor(page).getByRole('button', { name: 'Add variable order_id' }).click()
  await expect(row(page, 'order_id').getByLabel('Variable name')).toBeFocused()
  await row(page, 'order_id').getByLabel('What it stands for').fill(orderId.description)
  await row(page, 'order_id').getByLabel('Required').click()
  await expect(row(page, 'order_id').getByLabel('Default value')).toBeDisabled()
  await editor(page).getByRole('button', { name: 'Add variable', exact: true }).click()
  await expect(row(page, '2').getByLabel('Variable name')).toBeFocused()
  await page.keyboard.type('tone')
  await row(page, 'tone').getByLabel('Default value').fill('friendly')
  await expect(editor(page).getByText(/not declared/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Saved' })).toBeVisible()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(dialog(page).getByText('Calls without order_id will be refused.')).toBeVisible()
  await expect(dialog(page).getByText(/still contain/)).toHaveCount(0)
  await dialog(page).getByRole('button', { name: 'Publish version 1' }).click()
  await expect(dialog(page)).toHaveCount(0)

  await page.getByRole('link', { name: 'Playground' }).click()
  await values(page).getByLabel('order_id').fill('A-1')
  await say(page, 'Hello')
  await expect(last(page)).toContainText('Help with order A-1 in a friendly tone.')
  await values(page).getByLabel('order_id').fill('B-2')
  await values(page).getByLabel('tone').fill('{{order_id}}')
  await say(page, 'And now?')
  await expect(last(page)).toContainText('Help with order B-2 in a {{order_id}} tone.')
  await page.getByRole('combobox', { name: 'Who answers' }).click()
  await page.getByRole('option', { name: 'Version 1' }).click()
  await values(page).getByLabel('tone').fill('stern')
  await say(page, 'And you?')
  await expect(last(page)).toContainText('Help with order B-2 in a stern tone.')
  await expect(last(page)).toContainText('Version 1')

  await page.goto(`/agents/${agent.id}?node=agent`)
  await openVariables(page)
  await expect(row(page, 'order_id').getByLabel('What it stands for')).toHaveValue(orderId.description)
  await expect(row(page, 'order_id').getByLabel('Required')).toBeChecked()
  await expect(row(page, 'tone').getByLabel('Default value')).toHaveValue('friendly')
  await page.goto(`/agents/${agent.id}/versions?open=1`)
  const content = page.getByRole('region', { name: 'Content of version 1' })
  await expect(content.getByRole('list', { name: 'Variables' })).toContainText(
    'order_id: required. The order the caller asks about',
  )
})

test('a missing value keeps the message; the end user stays with the conversation', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await orderDesk(owner)
  await page.goto(`/agents/${agent.id}/playground`)
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello')
  await expect(page.getByText('A value is missing: order_id')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Hello')
  await values(page).getByLabel('order_id').fill('A-1')
  await values(page).getByLabel('End user (optional)').fill('ada')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(last(page)).toContainText('Help with order A-1')
  await expect(values(page).getByLabel('End user (optional)')).not.toBeEditable()

  await page.getByRole('button', { name: 'New conversation' }).click()
  await values(page).getByLabel('End user (optional)').fill('ben')
  await say(page, 'Hello again')
  await expect(last(page)).toContainText('Help with order A-1')
  const variables = [{ name: 'order_id', value: 'A-1' }]
  await expect
    .poll(() => stored(owner, agent.id))
    .toEqual([
      { userId: 'ben', turns: [{ userId: 'ben', variables }] },
      { userId: 'ada', turns: [{ userId: 'ada', variables }] },
    ])
  await expect(page.getByRole('button', { name: 'Ask again' })).toBeVisible() // a reply that grows may move the buttons
  await page.getByRole('button', { name: 'As cURL' }).last().click()
  await expect(page.getByRole('region', { name: 'Command' })).toContainText(
    '"user_id":"ben","variables":{"order_id":"A-1"}',
  )
})

for (const runtime of runtimes) {
  const why = missing(runtime)
  test(
    `the program in ${runtime.label} sends the required values, and runs as copied`,
    full(),
    async ({ strictPage: page, newOwner }) => {
      test.skip(why !== undefined, why)
      test.slow()
      const owner = await newOwner()
      const agent = await orderDesk(owner)
      const { apiKey } = await owner.newExport(agent.id)
      await page.goto(`/agents/${agent.id}?node=channels`)
      await channels(page).getByRole('tab', { name: runtime.label }).click()
      const region = channels(page).getByRole('region', { name: `Program in ${runtime.label}` })
      await expect(region).toContainText('order_id')
      const code = await copied(page, channels(page).getByRole('button', { name: `Copy ${runtime.label}` }))
      const outcome = await run(runtime, code, apiKey)
      expect(outcome, outcome.errors).toMatchObject({ code: 0 })
      expect(outcome.output).toContain('Help with order example in a friendly tone.')
    },
  )
}

test('a call without a required value is refused, as the dialog says', async ({ newOwner }) => {
  const owner = await newOwner()
  const agent = await orderDesk(owner)
  const { apiKey } = await owner.newExport(agent.id)
  const call = async (variables?: Record<string, string>) => {
    const response = await fetch(addresses().chat, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ message: 'Hello', variables }),
    })
    return { status: response.status, body: await response.text() }
  }
  const refused = await call()
  expect(refused.status).toBe(400)
  expect(refused.body).toContain('order_id')
  expect(await call({ order_id: 'A-1' })).toMatchObject({ status: 200 })
})
