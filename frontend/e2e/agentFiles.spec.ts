import { readFile } from 'node:fs/promises'
import { fromMenu } from './support/menu'
import { expect, test } from './support/test'

const search = `query($id: ID!) { searchKnowledge(agentId: $id, message: "How many days for the grinder?") {
  source { name } text score words } }`
const add = `mutation($input: AddKnowledgeTextInput!) { addKnowledgeText(input: $input) { source { id } } }`

test('an agent is exported, imported and duplicated with what it knows, and a broken file is refused by its line @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk' })
  const text = '# Returns\n\nA grinder goes back within 30 days.'
  await owner.gql(add, { input: { agentId: agent.id, name: 'Terms', text } })
  const found = await owner.gql(search, { id: agent.id })

  await page.goto(`/agents/${agent.id}`)
  const flow = page.getByRole('list', { name: 'Message path' })
  await expect(flow.getByRole('listitem')).toHaveText([/^Channels/, /^Agent/, /^Model/, 'Knowledge Sent in full'])
  await flow.getByRole('link', { name: /^Knowledge/ }).click()
  await expect(page.getByRole('region', { name: 'Knowledge', exact: true })).toBeVisible()

  const coming = page.waitForEvent('download')
  await fromMenu(page, 'Download agent file')
  const file = await coming
  expect(file.suggestedFilename()).toBe('Order desk.jsonl')
  const content = await readFile(await file.path(), 'utf8')
  const lines = content.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { name: 'Order desk' },
    { kind: 'TEXT', name: 'Terms', text },
  ])

  await page.goto('/agents')
  const choose = async (body: string) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await (await chooser).setFiles({ name: 'agent.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(body) })
  }
  await choose(`${content}{"kind": "TEXT", "name": "Blank", "text": " "}`)
  await expect(page.getByRole('group').filter({ hasText: 'Line 3: The text is blank.' })).toBeVisible()
  await choose(content)
  const address = /\/agents\/([0-9a-f-]{36})$/
  await expect(page).toHaveURL(address)
  const imported = page.url().match(address)?.[1] ?? ''
  expect(await owner.gql(search, { id: imported })).toEqual(found)

  await fromMenu(page, 'Duplicate agent')
  await expect(page.getByRole('heading', { name: 'Copy of Order desk' })).toBeVisible()
  expect(await owner.gql(search, { id: page.url().match(address)?.[1] ?? '' })).toEqual(found)
  await page.goto('/agents')
  await expect(page.getByText('3 agents', { exact: true })).toBeVisible()
})
