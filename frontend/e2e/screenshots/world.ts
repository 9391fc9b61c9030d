import { randomUUID } from 'node:crypto'
import { newAccount } from '../support/accounts'
import { chat, Owner } from '../support/owner'
import { actingAgent, actingCalls } from './acting'
import { together } from './joining'
import { knowingAgent, library } from './knowing'
import { provenAgent } from './proving'

/** Whose eyes a page is seen through. */
export const people = {
  /** Uses the panel every day. */
  ada: { name: 'Ada Lovelace', credits: 2_400 },
  /** Has just signed up. */
  newcomer: { name: 'Grace Hopper', credits: 100 },
  /** Has made an export, and no call has come yet. */
  starter: { name: 'Hedy Lamarr', credits: 100 },
  /** Owns one thing of each kind. */
  single: { name: 'Alan Turing', credits: 60 },
  /** Owns more than one page of everything. */
  many: { name: 'Katherine Johnson', credits: 1_000 },
  /** Gives everything the longest name there can be. */
  long: { name: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2), credits: 12 },
  /** Has used up all credits. */
  broke: { name: 'Charles Babbage', credits: 2 },
  /** Has an agent that asks its callers to run actions. */
  acting: { name: 'Margaret Hamilton', credits: 1_000 },
  /** Has agents with knowledge. */
  knowing: { name: 'Callimachus of Cyrene', credits: 1_000 },
  /** Tests and rates an agent. */
  proving: { name: 'Emmy Noether', credits: 1_000 },
  /** Owns one account with others, and another one alone. */
  joined: { name: 'Grete Hermann', credits: 1_000 },
} as const

export type Person = keyof typeof people

/** What an account has to look at: the ids of agents, of a conversation, and of exports with a limit, with two keys, paused, expired, and
 * removed. */
export type Place = {
  agent?: string
  draft?: string
  bare?: string
  /** A live agent without an export. */
  uncalled?: string
  conversation?: string
  export?: string
  twoKeys?: string
  paused?: string
  expired?: string
  removed?: string
  /** An agent with pages of knowledge. */
  library?: string
}

const addressOf = (name: string) =>
  `${name.toLowerCase().replaceAll(' ', '.').slice(0, 60)}@${randomUUID().slice(0, 8)}.example.com`

const unbroken = (length: number) => 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(5).slice(0, length)

const orderDesk = `You answer customers of a small shop for coffee and tea.

- Look for the order number first; it begins with ORD.
- Say where a parcel is and when it will come. Never promise a day that the carrier has not named.
- Offer a return within 30 days, and say what it costs.
- When you are not sure, say so and pass the conversation to a person.`

const leftover = '\n\nOpening hours:\n(Describe them here, with the holidays.)'

const questions = [
  'Where is my order ORD-20418?',
  'Can I still change the delivery address?',
  'The grinder arrived with a crack in the lid. What can I do?',
  'Do you deliver to Norway, and what does it cost?',
  'How long does a refund take?',
  'Which of your teas has no caffeine?',
]

/** Opens a person's account, and puts into it what they are known for, through the two APIs and the operator's command. */
export async function moveIn(name: Person): Promise<{ owner: Owner; place: Place }> {
  const owner = await Owner.signIn(newAccount({ ...people[name], email: addressOf(people[name].name) }))
  return { owner, place: await furnish[name](owner) }
}

const furnish: Record<Person, (owner: Owner) => Promise<Place>> = {
  ada: busy,
  newcomer: async () => ({}),
  starter: begun,
  single: one,
  many: crowd,
  long: longNames,
  broke: spent,
  acting: withActions,
  knowing: withKnowledge,
  proving: withTests,
  joined: together,
}

async function busy(owner: Owner): Promise<Place> {
  const bare = await owner.gql<{ createAgent: { agent: { id: string } } }>(
    'mutation($input: CreateAgentInput!) { createAgent(input: $input) { agent { id } } }',
    { input: { name: 'Newsletter helper' } },
  )
  const model = 'sandbox/assistant'
  const draft = await owner.newAgent({ name: 'Product advice', instructions: 'Recommend.', model, publish: false })
  const booking = await owner.newAgent({ name: 'Table booking', instructions: 'Take bookings.', model })
  const returns = await owner.newAgent({ name: 'Returns and refunds', instructions: 'Explain returns.', model })
  const desk = await owner.newAgent({ name: 'Order desk', instructions: orderDesk, model })
  await owner.change(desk.id, { instructions: `${orderDesk}\n- Answer in the language of the customer.` })
  await owner.publish(desk.id, 'Answers in the customer’s language')
  await owner.change(desk.id, { temperature: 0.4 })
  await owner.publish(desk.id, 'Less surprising')
  await describe(owner, desk.id, 'Answers questions about orders, parcels and returns.')
  await describe(owner, booking.id, 'Collects what is needed for a table, and sums it up.')
  await owner.sendTestMessage(desk.id, 'What would you say to somebody whose parcel is late?')
  const old = await owner.newExport(desk.id, 'Old webshop')
  const shop = await owner.newExport(desk.id, 'Webshop')
  const whatsapp = await owner.newExport(desk.id, 'WhatsApp bridge', 120)
  const till = await owner.newExport(booking.id, 'Booking form', 60)
  const kiosk = await owner.newExport(booking.id, 'Kiosk', 60)
  const fair = await owner.newExport(booking.id, 'Spring fair', 60)
  const portal = await owner.newExport(returns.id, 'Returns portal', 60)
  await owner.pin(whatsapp.id, 2)
  await owner.replaceKey(whatsapp.id, inDays(2.2))
  await owner.change(desk.id, {
    instructions: orderDesk.replace('a return within 30 days', 'a return within 60 days') + leftover,
    maxOutputTokens: 800,
  })
  await chat(old.apiKey, 'Is this line still in use?', 'monitoring')
  await owner.gql('mutation($input: RemoveApiExportInput!) { removeApiExport(input: $input) { export { id } } }', {
    input: { id: old.id },
  })
  await eachOf(30, async (at) => {
    const key = at % 5 === 4 ? till.apiKey : at % 3 === 0 ? whatsapp.apiKey : shop.apiKey
    for (let turn = 0; turn <= at % 4; turn++) {
      const user = at % 2 === 0 ? { user_id: `user-${at}` } : {}
      await chat(key, questions[(at + turn) % questions.length] ?? '', `customer-${20_417 + at}`, user)
    }
  })
  // One conversation with everything that can become of a message.
  for (const message of [
    'Good morning! Where is my order ORD-20418?',
    'And can I still change the address to 12 St James’s Square, London?',
    'Write me a longer text about tea, please. [[sandbox words=90]]',
    'Are you still there? [[sandbox fail=unavailable]]',
    'Tell me everything about coffee. [[sandbox words=40]] [[sandbox finish=length]]',
    'Thank you. What was the number of my order again?',
  ]) {
    await chat(whatsapp.apiKey, message, '+44 20 7946 0958', { user_id: 'maria.lopez@example.com' })
  }
  await needAttention(owner, portal, till)
  await owner.gql('mutation($input: PauseApiExportInput!) { pauseApiExport(input: $input) { export { id } } }', {
    input: { id: kiosk.id },
  })
  await changeExport(owner, { id: fair.id, expiresAt: soon() })
  await chat(shop.apiKey, '', 'customer-20417')
  await chat(old.apiKey, 'Is this line still in use?', 'monitoring')
  const conversation = await conversationOf(owner, desk.id, '+44 20 7946 0958')
  return {
    agent: desk.id,
    draft: draft.id,
    bare: bare.createAgent.agent.id,
    conversation,
    export: till.id,
    twoKeys: whatsapp.id,
    paused: kiosk.id,
    expired: fair.id,
    removed: old.id,
  }
}

const soon = () => new Date(Date.now() + 1_500).toISOString()
const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600_000).toISOString()

/** Gives the account one of each of what its owner should look at. */
async function needAttention(owner: Owner, failing: { id: string; apiKey: string }, limited: { id: string }) {
  for (const text of [
    'Hello? [[sandbox fail=error]]',
    'Anybody? [[sandbox fail=error]]',
    'Well? [[sandbox fail=error]]',
    'I give up.',
  ]) {
    await chat(failing.apiKey, text, 'return-118')
  }
  await changeExport(owner, { id: failing.id, expiresAt: inDays(3.5) })
  await changeExport(owner, { id: limited.id, dailyCreditLimit: 15 })
}

async function changeExport(owner: Owner, input: { id: string; expiresAt?: string; dailyCreditLimit?: number }) {
  await owner.gql('mutation($input: UpdateApiExportInput!) { updateApiExport(input: $input) { export { id } } }', {
    input,
  })
}

async function begun(owner: Owner): Promise<Place> {
  const agent = await owner.newAgent({ name: 'Help desk', model: 'sandbox/assistant' })
  await owner.newExport(agent.id, 'Website')
  const uncalled = await owner.newAgent({ name: 'Table booking', model: 'sandbox/assistant' })
  return { agent: agent.id, uncalled: uncalled.id }
}

async function one(owner: Owner): Promise<Place> {
  const agent = await owner.newAgent({ name: 'Help desk', model: 'sandbox/assistant' })
  const website = await owner.newExport(agent.id, 'Website')
  await chat(website.apiKey, 'Hello, is anybody there?', 'visitor-1')
  return { agent: agent.id, export: website.id, conversation: await conversationOf(owner, agent.id, 'visitor-1') }
}

async function crowd(owner: Owner): Promise<Place> {
  await eachOf(58, (at) => owner.newAgent({ name: `Branch ${String(at + 1).padStart(2, '0')}`, publish: at % 3 > 0 }))
  const agent = await owner.newAgent({ name: 'Head office' })
  await eachOf(57, (at) => owner.newExport(agent.id, `Line ${at + 1}`))
  const { apiKey } = await owner.newExport(agent.id, 'Switchboard')
  await eachOf(60, (at) => chat(apiKey, 'Please put me through.', `caller-${at + 1}`))
  return { agent: agent.id, conversation: await conversationOf(owner, agent.id, 'caller-1') }
}

async function longNames(owner: Owner): Promise<Place> {
  const model = 'sandbox/assistant'
  const agent = await owner.newAgent({ name: unbroken(100), instructions: unbroken(250), model })
  await owner.newAgent({
    name: 'A name of many short words, as people write them when they are allowed to',
    publish: false,
  })
  await describe(
    owner,
    agent.id,
    `${'A description that never ends, because its author never stopped writing. '.repeat(6)}${unbroken(200)}`,
  )
  const exported = await owner.newExport(agent.id, unbroken(100))
  const { apiKey } = exported
  await owner.change(agent.id, { instructions: `${unbroken(300)}\n${'m̴̛̺'.repeat(60)}` })
  await owner.publish(agent.id, unbroken(500))
  await owner.pin(exported.id, 2)
  await owner.change(agent.id, { instructions: `(${unbroken(200)} here)\n${unbroken(900)}` })
  const label = `\u202E${unbroken(230)}`
  await chat(apiKey, `${unbroken(250)}\n${'m̴̛̺'.repeat(60)}`, label)
  await chat(apiKey, '[[sandbox words=400]]', label)
  await chat(apiKey, 'Hello', 'of-a-user', { user_id: unbroken(255) })
  return { agent: agent.id, export: exported.id, conversation: await conversationOf(owner, agent.id, label) }
}

async function spent(owner: Owner): Promise<Place> {
  const agent = await owner.newAgent({ name: 'Analytical engine', model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id, 'Mill')
  await chat(apiKey, 'First', 'punch-card')
  await chat(apiKey, 'Second', 'punch-card')
  return { agent: agent.id, conversation: await conversationOf(owner, agent.id, 'punch-card') }
}

async function withActions(owner: Owner): Promise<Place> {
  const agent = await actingAgent(owner)
  const { id, apiKey } = await owner.newExport(agent, 'Webshop')
  await actingCalls(apiKey, 'parcel-7')
  return { agent, export: id, conversation: await conversationOf(owner, agent, 'parcel-7') }
}

async function withKnowledge(owner: Owner): Promise<Place> {
  const [agent, shelves] = await Promise.all([knowingAgent(owner, 'shopper-7'), library(owner)])
  return { agent, library: shelves, conversation: await conversationOf(owner, agent, 'shopper-7') }
}

async function withTests(owner: Owner): Promise<Place> {
  const agent = await provenAgent(owner, 'shopper-8')
  return { agent, conversation: await conversationOf(owner, agent, 'shopper-8') }
}

/** Runs a step for 0 to count-1, a few at a time. */
async function eachOf(count: number, step: (at: number) => Promise<unknown>) {
  const all = Array.from({ length: count }, (_, at) => at)
  const lane = async () => {
    for (let at = all.shift(); at !== undefined; at = all.shift()) await step(at)
  }
  await Promise.all([lane(), lane(), lane(), lane()])
}

async function describe(owner: Owner, id: string, description: string) {
  await owner.change(id, { description })
}

async function conversationOf(owner: Owner, agentId: string, label: string): Promise<string> {
  type Found = { agent: { conversations: { nodes: { id: string; sessionId: string }[] } } }
  const query = 'query($id: ID!) { agent(id: $id) { conversations(first: 100) { nodes { id sessionId } } } }'
  const { agent } = await owner.gql<Found>(query, { id: agentId })
  const found = agent.conversations.nodes.find(({ sessionId }) => sessionId === label)
  if (!found) throw new Error(`There is no conversation with the label ${label}`)
  return found.id
}

/** An address that leads to nothing. */
export const unknownId = randomUUID()
