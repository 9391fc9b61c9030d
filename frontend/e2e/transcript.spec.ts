import type { Page } from '@playwright/test'
import { fromMenu } from './support/menu'
import { chat, type Owner } from './support/owner'
import { expect, test } from './support/test'

const turn = (page: Page, number: number) => page.getByRole('article', { name: `Turn ${number}`, exact: true })

/** Waits for the first message of a session, and returns the id of its conversation. */
async function conversationOf(owner: Owner, agentId: string, sessionId: string): Promise<string> {
  const query = `query($id: ID!, $sessionId: String!) {
    agent(id: $id) { conversations(first: 1, filter: { sessionId: $sessionId }) { nodes { id } } } }`
  type Answer = { agent: { conversations: { nodes: { id: string }[] } } }
  let id: string | undefined
  await expect
    .poll(async () => {
      const { agent } = await owner.gql<Answer>(query, { id: agentId, sessionId })
      id = agent.conversations.nodes[0]?.id
      return id
    })
    .toBeTruthy()
  return id as string
}

async function seed(owner: Owner, model = 'sandbox/free') {
  const agent = await owner.newAgent({ name: 'Order desk', model })
  return { agent, ...(await owner.newExport(agent.id, 'Shop')) }
}

test('a conversation is deleted, with a message in flight, and the credits stay @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner({ credits: 10 })
  const { agent, apiKey } = await seed(owner, 'sandbox/assistant')
  expect((await chat(apiKey, 'Hello', 'goes')).status).toBe(200)
  expect((await chat(apiKey, 'Hello', 'stays')).status).toBe(200)
  const inFlight = chat(apiKey, 'Wait [[sandbox delay=40s]]', 'goes')
  const id = await conversationOf(owner, agent.id, 'goes')
  const list = `/agents/${agent.id}/activity/conversations`
  await page.goto(list)
  await page.getByRole('link', { name: 'goes' }).click()
  await expect(turn(page, 2).getByText('Waiting for the reply…')).toBeVisible()

  await fromMenu(page, 'Delete conversation')
  const dialog = page.getByRole('dialog', { name: 'Delete this conversation?' })
  await expect(dialog).toContainText('goes')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(turn(page, 1)).toBeVisible()

  await fromMenu(page, 'Delete conversation')
  await dialog.getByRole('button', { name: 'Delete conversation' }).click()
  await expect(page).toHaveURL(new RegExp(`/activity/conversations\\?agent=${agent.id}$`))
  await expect(page.getByText('Conversation deleted')).toBeVisible()
  await expect(page.getByRole('link', { name: 'stays' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'goes' })).toHaveCount(0)
  expect((await inFlight).status).not.toBe(200)
  await page.reload() // instead of waiting for the next poll of the balance
  await expect(page.getByTestId('credit-chip')).toHaveText('8')

  await page.goto(`/activity/conversations/${id}`)
  await expect(page.getByText('Conversation not found', { exact: true })).toBeVisible()
  await page.goto('/usage/credits')
  await page.getByTestId('credit-day').first().getByRole('button').click()
  await expect(page.getByTestId('credit-entry').filter({ hasText: 'deleted' })).toHaveCount(1)
})

test('all conversations of a session ID are deleted with one agent, then with all @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const { agent, apiKey } = await seed(owner)
  const other = await owner.newAgent({ name: 'Complaints' })
  const { apiKey: otherKey } = await owner.newExport(other.id)
  const label = 'ada@example.com'
  for (const [key, session] of [
    [apiKey, label],
    [apiKey, 'Ada@example.com'],
    [otherKey, label],
  ] as const)
    expect((await chat(key, 'Hello', session)).status).toBe(200)
  await owner.sendTestMessage(agent.id, 'Hello', label)

  const left = async () => {
    const query = '{ viewer { conversations(first: 100) { nodes { sessionId agent { name } } } } }'
    type Answer = { viewer: { conversations: { nodes: { sessionId: string; agent: { name: string } }[] } } }
    const { viewer } = await owner.gql<Answer>(query)
    return viewer.conversations.nodes.map(({ sessionId, agent: { name } }) => `${name}: ${sessionId}`).sort()
  }
  const before = ['Complaints: ada@example.com', 'Order desk: Ada@example.com']
  expect(await left()).toEqual([...before, `Order desk: ${label}`, `Order desk: ${label}`])

  const dialog = page.getByRole('dialog', { name: 'Delete all conversations with this session ID?' })
  await page.goto(`/activity/conversations/${await conversationOf(owner, agent.id, label)}`)
  await fromMenu(page, 'Delete all with this session ID')
  await expect(dialog.getByRole('radio', { name: 'Only with the agent Order desk' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Delete all with this session ID' }).click()
  await expect(page.getByText('2 conversations deleted')).toBeVisible()
  expect(await left()).toEqual(before)
  await expect(page.getByRole('table').locator('tbody tr')).toHaveCount(2)

  expect((await chat(apiKey, 'Hello again', label)).status).toBe(200)
  await page.goto(`/activity/conversations/${await conversationOf(owner, other.id, label)}`)
  await fromMenu(page, 'Delete all with this session ID')
  await dialog.getByText('With any agent in this account').click()
  await dialog.getByRole('button', { name: 'Delete all with this session ID' }).click()
  await expect(page.getByText('2 conversations deleted')).toBeVisible()
  await expect(page.getByRole('table').locator('tbody tr')).toHaveCount(1)
  expect(await left()).toEqual(['Order desk: Ada@example.com'])
})
