import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { refusal } from '@/shared/testing/server'
import { models, agentService as service } from '@/testing/agentService'
import { fromMenu } from '@/testing/fromMenu'
import { renderApp } from '@/testing/renderApp'

afterEach(() => {
  cleanup() // first: a page that is still there would ask for a new sign-in
  localStorage.clear()
  session.signedOut()
})

const instructions = () => screen.findByLabelText('Instructions')
const button = (name: string | RegExp) => screen.findByRole('button', { name })
/** Ctrl S saves at once. */
const save = async () => userEvent.keyboard('{Control>}s{/Control}')
const saved = () => waitFor(() => expect(screen.getByTestId('save-state').textContent).toBe('Saved'))

test('the nodes of the flow lead by keyboard to their fields or to the drawer, and the address says which', async () => {
  service()
  const { router } = renderApp('/agents/a1')
  const node = await button(/^Model/)
  node.focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.search).toEqual({ node: 'model' }))
  const fold = () => document.querySelector<HTMLDetailsElement>('#build-model')
  await waitFor(() => expect(fold()?.open).toBe(true))
  expect(document.activeElement).toBe(fold()?.querySelector('summary'))
  await screen.findByRole('radio', { name: /Fast/ })
  await userEvent.click(await button(/^Agent/))
  await waitFor(async () => expect(document.activeElement).toBe(await instructions()))
  const channels = await button(/^Channels/)
  expect(channels.textContent).toContain('No API export yet')
  await userEvent.click(channels)
  expect(await screen.findByRole('dialog', { name: 'Channels' })).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

test('a draft names what it lacks and cannot be published; a whole one can', async () => {
  const state = service({ instructions: '', model: null, missing: ['INSTRUCTIONS', 'MODEL'] })
  const { queryClient } = renderApp('/agents/a1')
  const link = await screen.findByRole('link', { name: 'Write its instructions' })
  expect(link.getAttribute('href')).toBe('/agents/a1?node=agent')
  expect(screen.getByRole('link', { name: 'Choose a model that is available' })).toBeTruthy()
  expect(((await button('Publish')) as HTMLButtonElement).disabled).toBe(true)
  state.change({ instructions: 'x', model: models[1], missing: [] })
  await queryClient.invalidateQueries({ queryKey: ['agent'] })
  await waitFor(async () => expect(((await button('Publish')) as HTMLButtonElement).disabled).toBe(false))
  await userEvent.click(await button('Publish'))
  await userEvent.click(await button('Publish version 1'))
  expect(await screen.findByText('Callers get version 1.')).toBeTruthy()
})

test('acceptance 14: saving sends only what was changed, and says when callers get it', async () => {
  const state = service({}, 1)
  renderApp('/agents/a1?node=agent')
  const first = state.agent.updatedAt
  await userEvent.type(await instructions(), ' Be brief.')
  await userEvent.type(screen.getByLabelText('Temperature'), '0.5')
  await save()
  await saved()
  expect(state.updates).toEqual([
    { id: 'a1', instructions: 'Be kind. Be brief.', temperature: 0.5, expectedUpdatedAt: first },
  ])
  await userEvent.type(screen.getByLabelText('Instructions'), ' Again.')
  await save()
  await waitFor(() => expect(state.agent.instructions).toBe('Be kind. Be brief. Again.'))
})

test('what was read before the save and arrives after it does not take the page back', async () => {
  const state = service({}, 1)
  const { queryClient } = renderApp('/agents/a1?node=agent')
  await userEvent.type(await instructions(), ' Be brief.')
  let arrive = () => {}
  let early = Promise.resolve()
  await new Promise<void>((read) => {
    state.read = () => {
      read()
      return new Promise((resolve) => {
        arrive = resolve
      })
    }
    early = queryClient.refetchQueries({ queryKey: ['agent'] })
  })
  state.read = undefined
  await save()
  await button('Publish')
  arrive()
  await early
  const shown = { agent: { instructions: 'Be kind. Be brief.', hasUnpublishedChanges: true } }
  expect(queryClient.getQueryData(['agent', { id: 'a1' }])).toMatchObject(shown)
})

test('acceptance 14: a change of another tab is shown as a diff with a choice, and not overwritten', async () => {
  const state = service({ temperature: 0.1 })
  renderApp('/agents/a1?node=agent')
  await userEvent.type(await instructions(), ' Mine.')
  await userEvent.clear(screen.getByLabelText('Temperature'))
  await userEvent.type(screen.getByLabelText('Temperature'), '0.3')
  state.change({ instructions: 'Theirs.', temperature: 0.2, name: 'Desk' })
  await save()
  const dialog = within(await screen.findByRole('dialog', { name: '“Desk” was changed elsewhere' }))
  const lines = dialog.getByRole('list', { name: 'Instructions, line 1' })
  expect(lines.textContent).toContain('Theirs.')
  expect(lines.textContent).toContain('Be kind. Mine.')
  expect(dialog.getByText(/Name \(theirs\)/)).toBeTruthy()
  expect(state.agent.instructions).toBe('Theirs.')
  // Closing it saves nothing, and the draft stays as it was typed.
  await userEvent.click(dialog.getByRole('button', { name: 'Close' }))
  await save()
  expect(screen.getByText('Not saved: changed elsewhere')).toBeTruthy()
  expect(state.agent.instructions).toBe('Theirs.')
  expect(((await instructions()) as HTMLTextAreaElement).value).toBe('Be kind. Mine.')
  const note = screen.getByText(/^The same places were changed elsewhere/).closest('[role=status]') as HTMLElement
  await userEvent.click(within(note).getByRole('button', { name: 'Compare' }))
  const again = within(await screen.findByRole('dialog', { name: '“Desk” was changed elsewhere' }))
  const temperature = within(again.getByRole('region', { name: '2. Temperature' }))
  await userEvent.click(temperature.getByRole('radio', { name: 'Theirs' }))
  await userEvent.click(again.getByRole('button', { name: 'Save this' }))
  await waitFor(() =>
    expect(state.agent).toMatchObject({ instructions: 'Be kind. Mine.', temperature: 0.2, name: 'Desk' }),
  )
  await saved()
})

test('publishing waits for what was typed', async () => {
  const state = service()
  renderApp('/agents/a1?node=agent')
  await userEvent.type(await instructions(), ' Be brief.')
  await userEvent.click(await button('Publish'))
  await userEvent.click(await button('Publish version 1'))
  await waitFor(() => expect(state.versions[0]?.instructions).toBe('Be kind. Be brief.'))
})

test('what cannot be saved keeps from publishing, and is led to; its line says what is wrong', async () => {
  const state = service()
  renderApp('/agents/a1?node=agent')
  await instructions()
  await userEvent.type(screen.getByLabelText('Temperature'), '3')
  await userEvent.click(await button('Publish'))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Temperature')))
  const part = document.querySelector<HTMLDetailsElement>('#build-replies')
  expect(part?.open).toBe(true)
  expect(part?.querySelector('summary')?.textContent).toContain('Must be between 0 and 2, or empty.')
  expect(screen.getByText('Not saved: check the marked fields')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(state.updates).toEqual([])
})

test('each part says in its line what is set and what callers do not have yet; the browser remembers which are open', async () => {
  const state = service({ temperature: 0.3, variables: [] }, 1)
  state.change({ instructions: 'Be brief.\nAnswer {{plan}}.' })
  renderApp('/agents/a1')
  await instructions()
  const line = (id: string) => document.querySelector(`#build-${id} > summary`)?.textContent
  await waitFor(() => expect(line('instructions')).toBe('Instructions Be brief. Placeholder in line 2 Changed'))
  expect(line('model')).toBe('Model Fast · 2 credits per message  ')
  expect(line('variables')).toContain('Used but not declared: plan')
  expect(line('replies')).toBe('Reply settings temperature 0.3 · 40 turns of history  ')
  await userEvent.click(screen.getByRole('heading', { name: 'Reply settings' }))
  await waitFor(() => expect(localStorage.getItem('build sections')).toBe('["instructions","replies"]'))
  cleanup()
  renderApp('/agents/a1')
  await instructions()
  const open = [...document.querySelectorAll('details[open][id^="build-"]')].map(({ id }) => id)
  expect(open).toEqual(['build-instructions', 'build-replies'])
})

test('a change elsewhere of another field is kept, and the save goes through', async () => {
  const state = service()
  renderApp('/agents/a1?node=agent')
  await userEvent.type(await instructions(), ' Mine.')
  state.change({ model: models[0] })
  await save()
  await waitFor(() => expect(state.agent.instructions).toBe('Be kind. Mine.'))
  expect(state.agent.model).toBe(models[0])
})

test('leaving saves first, and asks only about what could not be saved', async () => {
  const state = service()
  const { router } = renderApp('/agents/a1?node=agent')
  await userEvent.type(await instructions(), ' Mine.')
  await userEvent.click(screen.getByRole('link', { name: 'Versions' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents/a1/versions'))
  expect(state.agent.instructions).toBe('Be kind. Mine.')
  await router.navigate({ to: '/agents/$id', params: { id: 'a1' }, search: { node: 'agent' } })
  await instructions()
  await userEvent.type(screen.getByLabelText('Temperature'), '3')
  await userEvent.click(screen.getByRole('link', { name: 'Versions' }))
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Keep editing' })))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Keep editing' }))
  expect(router.state.location.search).toEqual({ node: 'agent' })
  expect(screen.getByLabelText('Temperature')).toHaveProperty('value', '3')
  void router.navigate({ to: '/agents' })
  await userEvent.click(await button('Discard changes'))
  await screen.findByRole('heading', { name: 'Agents', level: 1 })
  await router.navigate({ to: '/agents/$id', params: { id: 'a1' }, search: { node: 'agent' } })
  expect(((await instructions()) as HTMLTextAreaElement).value).toBe('Be kind. Mine.')
  expect(screen.getByLabelText('Temperature')).toHaveProperty('value', '')
  expect(state.updates).toHaveLength(1)
})

test('the draft is restored after an expired session', async () => {
  const state = service()
  const { router } = renderApp('/agents/a1?node=agent')
  await userEvent.type(await instructions(), ' Mine.')
  state.expired = true
  await save()
  await userEvent.type(await screen.findByLabelText('E-mail address'), 'ada@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'right password')
  await userEvent.click(await button('Sign in'))
  expect(((await instructions()) as HTMLTextAreaElement).value).toBe('Be kind. Mine.')
  expect(router.state.location.href).toBe('/agents/a1?node=agent')
  expect(screen.getByText('What you had typed before you signed in again is back.')).toBeTruthy()
  await waitFor(() => expect(state.agent.instructions).toBe('Be kind. Mine.'), { timeout: 5_000 })
})

test('invalid input is reported at the field', async () => {
  const state = service()
  renderApp('/agents/a1?node=agent')
  await instructions()
  await userEvent.clear(screen.getByLabelText('Name'))
  await userEvent.type(screen.getByLabelText('Temperature'), '3')
  await save()
  const at = (label: string) => screen.getByLabelText(label).closest('.mantine-InputWrapper-root')?.textContent
  await waitFor(() => expect(at('Name')).toContain('This field is required.'))
  expect(at('Temperature')).toContain('Must be between 0 and 2, or empty.')
  expect(state.updates).toEqual([])
})

test('models show their price; the sandbox is marked, and unavailable models cannot be chosen', async () => {
  const state = service({ model: null, missing: ['MODEL'] })
  renderApp('/agents/a1?node=model')
  const sandbox = await screen.findByRole('radio', { name: /Assistant/ })
  expect(screen.getByText('For tests')).toBeTruthy()
  expect(screen.getByText('It makes up its replies.')).toBeTruthy()
  expect((screen.getByRole('radio', { name: /Gone/ }) as HTMLInputElement).disabled).toBe(true)
  expect(screen.getByText('Unavailable: the provider acme is not configured on this server.')).toBeTruthy()
  await userEvent.click(sandbox)
  await save()
  await waitFor(() => expect(state.agent.model).toBe(models[0]))
})

test('how many earlier turns it is given is saved, and empty is the most', async () => {
  const state = service()
  renderApp('/agents/a1?node=agent')
  await instructions()
  const field = screen.getByLabelText('Conversation history (turns)')
  expect(field).toHaveProperty('value', '40')
  await userEvent.clear(field)
  await userEvent.type(field, '41')
  await save()
  expect(await screen.findAllByText('Must be a whole number between 0 and 40, or empty.')).toHaveLength(2)
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
  renderApp('/agents/a1?node=model')
  const select = await screen.findByRole('combobox', { name: 'Fallback model' })
  await userEvent.click(select)
  const options = await screen.findAllByRole('option')
  expect(options.map((option) => option.textContent)).toEqual(['None', 'Assistant · 2 credits per message'])
  await userEvent.click(screen.getByRole('option', { name: 'Assistant · 2 credits per message' }))
  await save()
  await waitFor(() => expect(state.updates[0]).toMatchObject({ id: 'a1', fallbackModel: 'sandbox/assistant' }))
  expect(state.updates[0]).not.toHaveProperty('model')
  expect(document.querySelector('#build-model summary')?.textContent).toContain(
    'Fast · 2 credits per message, or Assistant when it fails',
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

test('replies in JSON: a schema is saved as it is written, refused at its field, shown with a reply that fits, and kept', async () => {
  const state = service()
  state.refuse = ({ replySchema }) => {
    if (!String(replySchema).includes('bad')) return
    const [path, message] = ['replySchema', 'Line 2, /bad: This must be a text.']
    throw refusal('BAD_USER_INPUT', message, { fields: [{ path, message, reason: 'invalid_value' }] })
  }
  renderApp('/agents/a1')
  await instructions()
  const section = document.querySelector<HTMLDetailsElement>('#build-replyFormat') as HTMLDetailsElement
  section.open = true
  expect(section.querySelector('summary')?.textContent).toContain('Text')
  await userEvent.click(within(section).getByRole('radio', { name: 'JSON' }))
  const editor = await screen.findByLabelText<HTMLTextAreaElement>('Schema (JSON Schema)')
  await save()
  await waitFor(() => expect(state.updates).toEqual([expect.objectContaining({ replySchema: editor.value })]))
  expect(section.querySelector('summary')?.textContent).toContain('JSON · 1 property')
  const example = within(section).getByRole('region', { name: 'An example that fits' })
  await waitFor(() => expect(example.textContent).toContain('{\n  "answer": "Example"\n}'))

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
  renderApp('/agents/a1')
  await instructions()
  const section = document.querySelector<HTMLDetailsElement>('#build-actions') as HTMLDetailsElement
  section.open = true
  const part = within(section)
  await userEvent.click(await part.findByRole('button', { name: 'Add action' }))
  await userEvent.type(part.getByLabelText(/^Name/), 'Order')
  await save()
  expect(await screen.findByText('Not saved: check the marked fields')).toBeTruthy()
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

test('saving unfolds an invalid action and focuses its field, however it was folded away', async () => {
  const parameters = '{"type": "object"}'
  service({ actions: ['a', 'b'].map((name) => ({ name, description: 'd', parameters })) })
  renderApp('/agents/a1')
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

test('duplicating copies everything, and opens the copy', async () => {
  const variables = [{ name: 'order_id', description: '', required: true, defaultValue: null }]
  const actions = [{ name: 'order_status', description: 'Looks it up', parameters: '{"type": "object"}' }]
  const state = service({ description: 'For the shop', contextTurns: 3, variables, actions, fallbackModel: models[0] })
  const { router } = renderApp('/agents/a1')
  await fromMenu('Duplicate agent')
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents/a2'))
  expect(state.created).toEqual([
    {
      name: 'Copy of Shop',
      description: 'For the shop',
      instructions: 'Be kind.',
      temperature: null,
      maxOutputTokens: null,
      contextTurns: 3,
      variables,
      replySchema: null,
      actions,
      model: 'acme/fast',
      fallbackModel: 'sandbox/assistant',
    },
  ])
})

test('deleting names the agent, and Cancel has the focus', async () => {
  const state = service()
  const { router } = renderApp('/agents/a1')
  await fromMenu('Delete agent')
  const dialog = await screen.findByRole('dialog', { name: 'Delete agent “Shop”?' })
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Cancel' })))
  expect(state.deleted).toEqual([])
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete agent' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents'))
  expect(state.deleted).toEqual(['a1'])
})

test('a message to the draft waits for what was typed', async () => {
  const state = service()
  renderApp('/agents/a1')
  await userEvent.type(await instructions(), ' Be brief.')
  await userEvent.type(screen.getByLabelText('Message'), 'Hello{Enter}')
  await waitFor(() => expect(state.agent.instructions).toBe('Be kind. Be brief.'), { timeout: 500 })
})
