import { chat, type Owner } from '../support/owner'

/** The longest name of an action. */
export const longAction = `note_${'_for_the_dispatcher'.repeat(3)}`.slice(0, 48)

const schemaOf = (properties: object, required: string[] = []) =>
  JSON.stringify({ type: 'object', properties, required, additionalProperties: false })

const actions = [
  {
    name: 'order_status',
    description: 'Looks up where an order is.',
    parameters: schemaOf({ order: { type: 'string' } }, ['order']),
  },
  { name: 'opening_hours', description: 'Says when the shop is open.', parameters: schemaOf({}) },
  {
    name: longAction,
    description: 'Leaves a note.',
    parameters: schemaOf({ text: { type: 'string' } }, ['text']),
  },
]

/** A message that makes the sandbox request actions, each with its arguments. */
export const asking = (text: string, ...asked: string[]) =>
  [text, ...asked.map((action) => `[[sandbox action=${action}]]`)].join(' ')
export const askStatus = 'order_status {"order": "A-1"}'
export const askNote = `${longAction} {"text": "${'Please ring twice. '.repeat(30)}"}`

/** Creates an agent with actions, a reply schema and a fallback model, and returns its id. */
export async function actingAgent(owner: Owner): Promise<string> {
  const { id } = await owner.newAgent({
    name: 'Parcel desk',
    instructions: 'Say where a parcel is. Use the actions.',
    model: 'sandbox/assistant',
    publish: false,
  })
  const replySchema = schemaOf({ answer: { type: 'string' } }, ['answer'])
  await owner.change(id, { actions, replySchema, fallbackModel: 'sandbox/free' })
  await owner.publish(id)
  return id
}

const route = { state: 'shipped', stops: ['Leeds', 'York'].map((town) => ({ town, at: '2026-05-04' })) }
const results = [{ result: route }, { error: 'The dispatcher is away until Monday.' }]

/** Runs a conversation with every outcome of actions. Those of the last reply stay open. */
export async function actingCalls(apiKey: string, session: string) {
  let open: { id: string }[] = []
  const send = async (message: string | undefined, more?: object) => {
    const { body } = await chat(apiKey, '', session, { message, ...more })
    open = (body.actions as typeof open | undefined) ?? []
  }
  const answer = () => send(undefined, { action_results: open.map(({ id }, at) => ({ id, ...results[at % 2] })) })
  await send(asking('Where is my parcel A-1?', askStatus, askNote, 'again'))
  await answer()
  await send('Never mind. [[sandbox fail=unavailable first]]')
  await send('Say it in another form. [[sandbox output=misfit]]')
  await send(asking('When do you open, and where is it?', 'opening_hours', askStatus))
  await answer()
  await send(asking('And now?', askStatus, 'opening_hours'))
}
