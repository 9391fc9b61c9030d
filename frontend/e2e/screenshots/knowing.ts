import { expect } from '@playwright/test'
import { chat, type Owner } from '../support/owner'

/** Names and texts in scripts that are read from the right, and without spaces. */
export const scripts = [
  {
    name: 'سياسة الإرجاع والشحن',
    text: '# الإرجاع\n\nيمكنك إرجاع البضائع خلال 30 يومًا من الاستلام.\n\n# الشحن\n\nتغادر الطرود عند الظهر.',
  },
  {
    name: '退货与运输条款',
    text: '# 退货\n\n退货期限是三十天。已开封的咖啡和茶不能退货。\n\n# 运输\n\n包裹每天中午寄出。',
  },
] as const

const terms = `# Returns

## Time limits

You may send goods back within 30 days; gold customers have 60 days. Opened coffee and tea cannot be returned.

## What it costs

Return labels are free inside the EU. Elsewhere we pay back up to 15 EUR.

# Shipping

Parcels leave at noon. A parcel that is lost is sent again after 10 working days.`

const prices = (year: number) => `# Prices ${year}

| Zone | up to 2 kg | up to 10 kg |
| --- | --- | --- |
| EU | free | free |
| UK | 9.90 EUR | 17.50 EUR |`

const gifts = {
  questions: ['Can I pay with two gift cards?', 'How do I combine vouchers?', 'Kann ich zwei Gutscheine einlösen?'],
  answer: 'Yes, up to five gift cards for one order. Enter them one after the other at the checkout.',
}

/** The name of a text of the draft that no version has. */
export const onlyDraft = 'Opening hours and holidays'

/** The name of a file that could not be read. */
export const unread = 'Scan_0031.txt'

/** The name of a file in an encoding that is not certain. */
export const doubtful = 'Names.csv'

/** The longest name of a text, which no line can break. */
export const longName = `Terms_${'and_conditions_of_business_'.repeat(8)}`.slice(0, 200)

type Added = { source: { id: string } }
const addText = async (owner: Owner, agentId: string, name: string, text: string) => {
  const query = 'mutation($input: AddKnowledgeTextInput!) { addKnowledgeText(input: $input) { source { id } } }'
  return (await owner.gql<{ addKnowledgeText: Added }>(query, { input: { agentId, name, text } })).addKnowledgeText
    .source.id
}
const addAnswer = (owner: Owner, agentId: string, input: { questions: string[]; answer: string }) =>
  owner.gql('mutation($input: AddKnowledgeAnswerInput!) { addKnowledgeAnswer(input: $input) { source { id } } }', {
    input: { agentId, ...input },
  })
/** Adds a file, and waits until it has been read, or cannot be. */
const addFile = async (owner: Owner, agentId: string, name: string, text: BlobPart) => {
  const query = 'mutation($input: AddKnowledgeFileInput!) { addKnowledgeFile(input: $input) { source { id } } }'
  const { addKnowledgeFile } = await owner.upload<{ addKnowledgeFile: Added }>(
    query,
    { agentId, name },
    new Blob([text]),
  )
  const state = 'query($id: ID!) { node(id: $id) { ... on KnowledgeSource { state } } }'
  await expect
    .poll(async () => (await owner.gql<{ node: { state: string } }>(state, addKnowledgeFile.source)).node.state)
    .toMatch(/READY|FAILED/)
}
const replace = (owner: Owner, id: string, text: string) =>
  owner.gql(
    'mutation($input: ReplaceKnowledgeSourceInput!) { replaceKnowledgeSource(input: $input) { source { id } } }',
    { input: { id, text } },
  )
const remove = (owner: Owner, id: string) =>
  owner.gql('mutation($input: RemoveKnowledgeSourceInput!) { removeKnowledgeSource(input: $input) { agent { id } } }', {
    input: { id },
  })
const erase = (owner: Owner, id: string) =>
  owner.gql(
    'mutation($input: DeleteKnowledgeSourceInput!) { deleteKnowledgeSource(input: $input) { deletedKnowledgeSourceId } }',
    {
      input: { id },
    },
  )

/**
 * Makes an agent whose draft and two versions each know something else, and has a conversation with it, of which a source was deleted
 * since; returns its id.
 */
export async function knowingAgent(owner: Owner, session: string): Promise<string> {
  const { id } = await owner.newAgent({ name: 'Order desk', model: 'sandbox/assistant', publish: false })
  const old = await addText(owner, id, 'Prices', prices(2025))
  const sale = await addText(owner, id, 'Summer sale', 'Everything for tea is 20 % off until 31 August.')
  await addText(owner, id, 'Shipping and returns', terms)
  await owner.publish(id, 'First knowledge')
  const { apiKey } = await owner.newExport(id, 'Webshop')
  await chat(apiKey, 'What does a parcel to the UK cost in the sale? [1] [2] [3]', session)
  await replace(owner, old, prices(2026))
  await addAnswer(owner, id, gifts)
  await owner.publish(id, 'Prices of 2026')
  await chat(apiKey, 'Can I pay with two gift cards, and send a grinder back? [1] [2]', session)
  await erase(owner, sale)
  const care = await addText(owner, id, 'Care of grinders', 'Brush the burrs once a week. Never rinse them.')
  await owner.publish(id, 'Care of grinders')
  await remove(owner, care)
  await addText(owner, id, onlyDraft, 'We are open from 9:00 to 18:00. We are closed on 25 and 26 December.')
  await addFile(owner, id, 'Guarantee.md', '# Guarantee\n\nA grinder has a guarantee of two years.')
  await addFile(owner, id, unread, ' \n')
  await addFile(owner, id, doubtful, Buffer.from('Name\nSauna\nRep\xf5', 'latin1'))
  return id
}

/** Makes an agent that knows more than one page of sources, too much to be given whole; returns its id. */
export async function library(owner: Owner): Promise<string> {
  const { id } = await owner.newAgent({ name: 'Librarian', model: 'sandbox/assistant', publish: false })
  for (let at = 1; at <= 50; at++) {
    const text = `# Branch ${at}\n\n${`Branch ${at} opens at ${8 + (at % 3)} and closes at six. `.repeat(30)}`
    await addText(owner, id, `Branch ${String(at).padStart(2, '0')}`, text)
  }
  for (const { name, text } of scripts) await addText(owner, id, name, text)
  await addText(
    owner,
    id,
    'All rules',
    'Silence is kept in every reading room, always. '.repeat(2_127).slice(0, 99_999),
  )
  await addText(owner, id, longName, `# ${'Unbroken'.repeat(20)}\n\n${'Donaudampfschifffahrt'.repeat(40)} grinder`)
  return id
}
