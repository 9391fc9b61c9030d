import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { refusal } from '@/shared/testing/server'
import { models, agentService as service } from '@/testing/agentService'
import { renderPage } from '@/testing/renderPage'

afterEach(() => {
  cleanup() // first: a page that is still there would ask for a new sign-in
  localStorage.clear()
  session.signedOut()
})

const instructions = () => screen.findByLabelText('Instructions')
/** Ctrl S saves at once. */
const save = async () => userEvent.keyboard('{Control>}s{/Control}')
const saved = () => waitFor(() => expect(screen.getByTestId('save-state').textContent).toBe('Saved'))

test('models show their price; the sandbox is marked, and unavailable models cannot be chosen', async () => {
  const state = service({ model: null, missing: ['MODEL'] })
  renderPage('/agents/a1?node=model')
  const sandbox = await screen.findByRole('radio', { name: /Assistant/ })
  expect(screen.getByText('For tests')).toBeTruthy()
  expect(screen.getByText('Returns made-up replies for testing.')).toBeTruthy()
  expect((screen.getByRole('radio', { name: /Gone/ }) as HTMLInputElement).disabled).toBe(true)
  expect(screen.getByText('Unavailable: acme isn’t configured on this server.')).toBeTruthy()
  await userEvent.click(sandbox)
  await save()
  await waitFor(() => expect(state.agent.model).toBe(models[0]))
})

test('how many earlier turns it is given is saved, and empty is the most', async () => {
  const state = service()
  renderPage('/agents/a1?node=agent')
  await instructions()
  const field = screen.getByLabelText('Conversation history (turns)')
  expect(field).toHaveProperty('value', '40')
  // In one step: the changes of an empty field are saved, too.
  fireEvent.change(field, { target: { value: '41' } })
  await save()
  expect(await screen.findAllByText('Enter a whole number from 0 to 40, or leave it empty.')).toHaveLength(2)
  expect(state.updates).toEqual([])
  await userEvent.clear(field)
  await userEvent.type(field, '0')
  await save()
  await waitFor(() => expect(state.updates[0]).toMatchObject({ id: 'a1', contextTurns: 0 }))
  await userEvent.clear(field)
  await save()
  await waitFor(() => expect(state.updates[1]).toMatchObject({ id: 'a1', contextTurns: null }))
})

test('a fallback model is another one that is available; the same one is refused at its field', async () => {
  const state = service()
  state.refuse = ({ model }) => {
    if (model !== 'sandbox/assistant') return
    const [path, message] = ['model', 'The model and the fallback model are the same.']
    throw refusal('BAD_USER_INPUT', message, { fields: [{ path, message, reason: 'invalid_value' }] })
  }
  renderPage('/agents/a1?node=model')
  const select = await screen.findByRole('combobox', { name: 'Fallback model' })
  await userEvent.click(select)
  const options = await screen.findAllByRole('option')
  expect(options.map((option) => option.textContent)).toEqual(['None', 'Assistant · 2 credits per message'])
  await userEvent.click(screen.getByRole('option', { name: 'Assistant · 2 credits per message' }))
  await save()
  await waitFor(() => expect(state.updates[0]).toMatchObject({ id: 'a1', fallbackModel: 'sandbox/assistant' }))
  expect(state.updates[0]).not.toHaveProperty('model')
  expect(document.querySelector('#build-model summary')?.textContent).toContain(
    'Fast · 2 credits per message, falls back to Assistant',
  )

  await userEvent.click(screen.getByRole('radio', { name: /Assistant/ }))
  await save()
  expect((await screen.findAllByText('The model and the fallback model are the same.')).length).toBeGreaterThan(0)
  await userEvent.click(select)
  await userEvent.click(await screen.findByRole('option', { name: 'None' }))
  state.refuse = undefined
  await save()
  await waitFor(() => expect(state.agent.fallbackModel).toBeNull())
})

test('replies in JSON: a schema is saved as it is written, refused at its field, shown with a reply that fits and what is not checked, and kept', async () => {
  const state = service()
  state.refuse = ({ replySchema }) => {
    if (!String(replySchema).includes('bad')) return
    const [path, message] = ['replySchema', 'Line 2, /bad: This must be a text.']
    throw refusal('BAD_USER_INPUT', message, { fields: [{ path, message, reason: 'invalid_value' }] })
  }
  renderPage('/agents/a1')
  await instructions()
  const section = document.querySelector<HTMLDetailsElement>('#build-replyFormat') as HTMLDetailsElement
  section.open = true
  expect(section.querySelector('summary')?.textContent).toContain('Text')
  await userEvent.click(within(section).getByRole('radio', { name: 'JSON' }))
  const editor = await screen.findByLabelText<HTMLTextAreaElement>('Schema (JSON Schema)')
  await save()
  await waitFor(() => expect(state.updates).toEqual([expect.objectContaining({ replySchema: editor.value })]))
  expect(section.querySelector('summary')?.textContent).toContain('JSON · 1 property')
  const example = within(section).getByRole('region', { name: 'Example reply' })
  await waitFor(() => expect(example.textContent).toContain('{\n  "answer": "Example"\n}'))
  expect(example.textContent).toContain('Not checked: /properties/answer/format, /x-note')

  await userEvent.clear(editor)
  expect(editor.isConnected).toBe(true)
  await userEvent.click(editor)
  await userEvent.paste('{"bad": 1}')
  await save()
  await waitFor(() => expect(within(section).getAllByText('Line 2, /bad: This must be a text.')).toHaveLength(2))
  state.refuse = undefined
  await userEvent.click(within(section).getByRole('radio', { name: 'Text' }))
  await save()
  await waitFor(() => expect(state.agent.replySchema).toBeNull())
  await userEvent.click(within(section).getByRole('radio', { name: 'JSON' }))
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Schema (JSON Schema)')).value).toBe('{"bad": 1}')
})

test('actions: a table writes the schema, an error goes to its field, and the line says the names', async () => {
  const state = service({}, 1)
  renderPage('/agents/a1')
  await instructions()
  const section = document.querySelector<HTMLDetailsElement>('#build-actions') as HTMLDetailsElement
  section.open = true
  const part = within(section)
  await userEvent.click(await part.findByRole('button', { name: 'Add action' }))
  await userEvent.type(part.getByLabelText(/^Name/), 'Order')
  await save()
  expect(await screen.findByText('Can’t save: fix the highlighted fields')).toBeTruthy()
  expect(document.activeElement).toBe(part.getByLabelText(/^Name/))
  await userEvent.clear(part.getByLabelText(/^Name/))
  await userEvent.type(part.getByLabelText(/^Name/), 'order_status')
  await userEvent.type(part.getByLabelText(/^What it does/), 'Looks up an order')
  await userEvent.click(part.getByRole('button', { name: 'Add argument' }))
  const argument = within(part.getByRole('group', { name: 'Argument 1' }))
  await userEvent.type(argument.getByLabelText('Name'), 'order')
  await userEvent.type(argument.getByLabelText('Description'), 'Its number')
  await save()
  await saved()
  const [sent] = state.agent.actions as { parameters: string }[]
  expect(sent).toEqual({
    name: 'order_status',
    description: 'Looks up an order',
    parameters: JSON.stringify(
      {
        type: 'object',
        properties: { order: { type: 'string', description: 'Its number' } },
        required: ['order'],
        additionalProperties: false,
      },
      null,
      2,
    ),
  })
  expect(section.querySelector('summary')?.textContent).toContain('order_status')
  expect(section.querySelector('summary')?.textContent).toContain('Changed')

  state.refuse = () => {
    const [path, message] = ['actions.0.parameters', 'Line 2, /bad: This must be a text.']
    throw refusal('BAD_USER_INPUT', message, { fields: [{ path, message, reason: 'invalid_value' }] })
  }
  await userEvent.type(argument.getByLabelText('Description'), '.')
  await save()
  expect((await part.findByRole('alert')).textContent).toBe('Line 2, /bad: This must be a text.')
  await userEvent.click(part.getByRole('radio', { name: 'JSON Schema' }))
  const editor = part.getByRole('textbox', { name: 'JSON Schema' })
  expect(editor.getAttribute('aria-invalid')).toBe('true')
  state.refuse = undefined
  await userEvent.clear(editor)
  await userEvent.click(editor)
  await userEvent.paste('{"type": "object", "minProperties": 1}')
  await save()
  await saved()
  expect(state.agent.actions).toEqual([{ ...sent, parameters: '{"type": "object", "minProperties": 1}' }])
})

test('a new action is no part of the draft while it is blank, and shows no error before a field is left', async () => {
  const state = service()
  renderPage('/agents/a1')
  await instructions()
  const section = document.querySelector<HTMLDetailsElement>('#build-actions') as HTMLDetailsElement
  section.open = true
  const part = within(section)
  await userEvent.click(await part.findByRole('button', { name: 'Add action' }))
  await userEvent.click(part.getByRole('button', { name: 'Add argument' }))
  await save()
  await saved()
  const name = part.getByLabelText(/^Name/, { selector: '[data-path="agent-actions.0.name"]' })
  await userEvent.type(name, 'Order')
  expect(await screen.findByText('Not saved yet')).toBeTruthy()
  expect(name.getAttribute('aria-invalid')).not.toBe('true')
  await userEvent.tab()
  expect(name.getAttribute('aria-invalid')).toBe('true')
  expect(part.getByLabelText(/^What it does/).getAttribute('aria-invalid')).not.toBe('true')
  expect(await screen.findByText('Can’t save: fix the highlighted fields')).toBeTruthy()
  expect(state.updates).toEqual([])
})

test('saving unfolds an invalid action and focuses its field, however it was folded away', async () => {
  const parameters = '{"type": "object"}'
  service({ actions: ['a', 'b'].map((name) => ({ name, description: 'd', parameters })) })
  renderPage('/agents/a1')
  await instructions()
  const section = document.querySelector<HTMLDetailsElement>('#build-actions') as HTMLDetailsElement
  section.open = true
  const fold = await within(section).findByRole<HTMLDetailsElement>('group', { name: 'Action b' })
  await userEvent.click(fold.querySelector('summary') as HTMLElement)
  const name = await within(fold).findByLabelText(/^Name/)
  await userEvent.clear(name)
  await userEvent.type(name, 'a')
  fold.open = false
  section.open = false
  await save()
  await waitFor(() => expect(document.activeElement).toBe(name))
  expect([section.open, fold.open]).toEqual([true, true])
})
