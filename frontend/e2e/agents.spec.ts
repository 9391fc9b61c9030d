import type { Page } from '@playwright/test'
import { fromMenu } from './support/menu'
import { chat, Owner } from './support/owner'
import { expect, long, signIn, test } from './support/test'

test('acceptance 14: after an expired sign-in the draft comes back, only for its owner @long', async ({
  page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ instructions: 'Saved.' })
  await page.goto(`/agents/${agent.id}?node=agent`)
  const text = page.getByRole('textbox', { name: 'Instructions' })
  const loseSignIn = async (typed: string) => {
    await text.fill(typed)
    await (await Owner.signIn(owner.account)).gql('mutation { signOutEverywhere { ok } }')
    await page.keyboard.press('Control+s')
    await expect(page).toHaveURL(/\/login\?next=/)
  }
  await loseSignIn('Typed with care.')
  await signIn(page, owner.account)
  await expect(text).toHaveValue('Typed with care.')
  await expect(page.getByTestId('save-state')).toHaveText('Saved')

  await loseSignIn('A secret draft.')
  await signIn(page)
  await expect(page.getByRole('heading', { name: 'Agent not found' })).toBeVisible()
  await expect(page.getByText('A secret draft.')).toHaveCount(0)
})

test('acceptance 14: drafts are saved automatically, and two tabs do not overwrite each other @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', instructions: 'One.\nTwo.\nThree.' })
  const draft = async () => {
    const { agent: found } = await owner.gql<{ agent: { instructions: string } }>(
      `{ agent(id: "${agent.id}") { instructions } }`,
    )
    return found.instructions
  }
  const text = (tab: Page) => tab.getByRole('textbox', { name: 'Instructions' })
  const state = (tab: Page) => tab.getByTestId('save-state')
  const other = await page.context().newPage()
  for (const tab of [page, other]) {
    await tab.goto(`/agents/${agent.id}?node=agent`)
    await expect(state(tab)).toHaveText('Saved')
  }
  // The other tab gets no update before it has a change of its own.
  let release = await hold(other, 'query ')
  await text(page).fill('One!\nTwo.\nThree.')
  await expect(state(page)).toHaveText('Saving…')
  await expect(state(page)).toHaveText('Saved')
  await expect.poll(draft).toBe('One!\nTwo.\nThree.')

  // Changes of different lines are merged automatically.
  await text(other).fill('One.\nTwo.\nThree!')
  release()
  await expect.poll(draft).toBe('One!\nTwo.\nThree!')
  await expect(text(other)).toHaveValue('One!\nTwo.\nThree!')

  // For the same line a dialog asks, and nothing is overwritten before the answer.
  release = await hold(other, 'mutation UpdateAgent')
  await expect(text(page)).toHaveValue('One!\nTwo.\nThree!')
  await text(other).fill('One!\nYours.\nThree!')
  await text(page).fill('One!\nMine.\nThree!')
  await expect.poll(draft).toBe('One!\nMine.\nThree!')
  release()
  const dialog = other.getByRole('dialog', { name: '“Order desk” was changed elsewhere' })
  await expect(dialog.getByRole('list', { name: 'Instructions, line 2' })).toContainText('Mine.')
  expect(await draft()).toBe('One!\nMine.\nThree!')
  await dialog.getByText('Both').click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(draft).toBe('One!\nMine.\nYours.\nThree!')

  // Publishing includes text that was just typed.
  await text(other).press('Control+End')
  await other.keyboard.type(' Last.')
  await other.getByRole('button', { name: 'Publish', exact: true }).click()
  await other.getByRole('button', { name: 'Publish version 2' }).click()
  await expect(other.getByRole('group').filter({ hasText: 'Version 2 is live' })).toBeVisible()
  expect(await draft()).toBe('One!\nMine.\nYours.\nThree! Last.')
})

test('deleting an agent names what stops working, and stops it', long, async ({ strictPage: page, newOwner }) => {
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
  await expect(page.getByRole('group').filter({ hasText: 'Agent “Order desk” deleted' })).toBeVisible()
  await expect(page.getByText('No agents yet')).toBeVisible()
  expect((await chat(apiKey, 'Hello')).status).toBe(401)
})

test('acceptance 8: column headers sort the list, and the URL keeps the order @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  await owner.newAgent({ name: 'Line 10', instructions: 'Speak of parcels.' })
  await owner.newAgent({ name: 'Line 9', publish: false })
  const busy = await owner.newAgent({ name: 'Shop' })
  await owner.sendTestMessage(busy.id, 'Hello')
  const names = () =>
    page
      .getByRole('row')
      .getByRole('link', { name: /^(Line|Shop)/ })
      .allTextContents()
  const head = (name: string) => page.getByRole('columnheader', { name })
  await page.goto('/agents')
  await expect(head('Messages')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(async () => (await names())[0]).toBe('Shop')
  await expect(page.getByRole('row').filter({ hasText: 'Shop' })).toContainText('100%')
  await page.getByRole('button', { name: 'Agent', exact: true }).click()
  await page.getByRole('button', { name: 'Agent', exact: true }).click()
  await expect(page).toHaveURL('/agents?sort=-name')
  await expect.poll(names).toEqual(['Shop', 'Line 9', 'Line 10'])
  await page.reload()
  await expect(head('Agent')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(names).toEqual(['Shop', 'Line 9', 'Line 10'])
  for (const [search, found] of [
    ['PARCELS', ['Line 10']],
    ['assistant, fr', ['Shop', 'Line 9', 'Line 10']],
  ] as const) {
    await page.getByRole('searchbox', { name: 'Search agents' }).fill(search)
    await expect.poll(names).toEqual(found)
  }
})

test('chosen agents are taken offline or deleted together, and failures are listed @long', async ({
  page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agents = []
  for (const name of ['One', 'Two', 'Three']) agents.push(await owner.newAgent({ name }))
  await owner.newAgent({ name: 'Draft', publish: false })
  const { apiKey } = await owner.newExport(agents[0]?.id ?? '')
  await page.goto('/agents')
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Take offline' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(
    '3 agents will be taken offline. Requests from 1 API export fail with agent_not_ready',
  )
  await expect(dialog).toContainText('Draft (never published)')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Take 3 agents offline' }).click()
  await expect(page.getByText('3 taken offline, 1 failed: never published')).toBeVisible()
  expect((await chat(apiKey, 'Hello')).body.error?.code).toBe('agent_not_ready')

  // One of them is deleted elsewhere first.
  const [, gone] = agents
  await page.route('**/graphql', async (route) => {
    const { query, variables } = route.request().postDataJSON()
    if (query.includes('deleteAgent') && variables.input.id === gone?.id)
      await owner.gql(
        'mutation($input: DeleteAgentInput!) { deleteAgent(input: $input) { deletedAgentId } }',
        variables,
      )
    await route.continue()
  })
  await owner.publish(agents[2]?.id ?? '')
  await page.reload()
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toContainText('Three (live: take offline first)')
  await dialog.getByRole('button', { name: 'Delete 3 agents' }).click()
  await expect(dialog.getByRole('alert')).toContainText(/^2 deleted, 2 failed: /)
  await expect(dialog).toContainText('Two (')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Three' })).toBeVisible()
  expect((await chat(apiKey, 'Hello')).status).toBe(401)
})

for (const [width, most] of [
  [1280, 90],
  [390, 130],
] as const) {
  test(`an agent's header takes at most ${most} px at ${width}, with its tabs in one row @long`, async ({
    page,
    newOwner,
  }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent({ name: 'Order desk' })
    await owner.newExport(agent.id)
    await owner.change(agent.id, { instructions: 'Changed.' })
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`/agents/${agent.id}`)
    await expect(page.getByText('Unpublished changes')).toBeVisible()
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox()
    const tabs = await page.getByRole('navigation', { name: 'Pages of this agent' }).boundingBox()
    const head = (tabs?.y ?? 0) + (tabs?.height ?? 0) - (heading?.y ?? 0)
    expect(head).toBeLessThanOrEqual(most)
    expect(tabs?.height).toBeLessThan(42)
    const editor = await page.getByRole('textbox', { name: 'Instructions' }).boundingBox()
    expect(editor?.y).toBeLessThan(422)
  })
}

/** Holds a tab's GraphQL requests that contain a text until the returned function is called. */
async function hold(tab: Page, text: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await tab.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(text)) await held
    await route.fallback()
  })
  return release
}
