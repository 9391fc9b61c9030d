import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal, type Seen } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'

afterEach(() => {
  cleanup() // first: a page that is still there would ask for a new sign-in
  session.signedOut()
})

const models = [
  model('sandbox/assistant', 'Assistant', { sandbox: true }),
  model('acme/fast', 'Fast', {}),
  model('acme/gone', 'Gone', { available: false }),
]

function model(name: string, label: string, rest: { sandbox?: boolean; available?: boolean }) {
  const provider = name.split('/')[0]
  return { name, label, provider, creditsPerMessage: 2, available: true, contextWindow: 8000, sandbox: false, ...rest }
}

type Input = Record<string, unknown> & { id: string; expectedUpdatedAt?: string }

/** A service with one agent, which moves on by a second with every change. */
function service(initial: Record<string, unknown> = {}) {
  let version = 0
  const moment = () => new Date(Date.UTC(2026, 0, 1, 0, 0, version)).toISOString()
  const state = {
    updates: [] as Input[],
    created: [] as Input[],
    deleted: [] as string[],
    expired: false,
    agent: {
      id: 'a1',
      name: 'Shop',
      description: '',
      instructions: 'Be kind.',
      temperature: null,
      maxOutputTokens: null,
      contextTurns: 40,
      state: 'DRAFT',
      missing: [],
      updatedAt: moment(),
      createdAt: moment(),
      lastUsedAt: null,
      model: models[1],
      exports: [],
      ...initial,
    } as Record<string, unknown>,
    change(fields: Record<string, unknown>) {
      version++
      state.agent = { ...state.agent, ...fields, updatedAt: moment() }
      return state.agent
    },
  }
  const guarded =
    <A, T>(of: (args: A) => T) =>
    (args: A, seen: Seen) => {
      if (state.expired || seen.authorization !== 'Bearer good') throw refusal('UNAUTHENTICATED', 'Not signed in.')
      return of(args)
    }
  const account = {
    id: '1',
    email: 'ada@example.com',
    name: 'Ada',
    creditBalance: 9,
    creditsHeld: 0,
    creditsAvailable: 9,
  }
  const pageInfo = { hasNextPage: false, hasPreviousPage: false }
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '' },
    renewAccess: () => {
      if (state.expired) throw refusal('UNAUTHENTICATED', 'Not signed in.')
      return { accessToken: 'good', expiresAt: inMinutes(15) }
    },
    signIn: () => {
      state.expired = false
      return { accessToken: 'good', expiresAt: inMinutes(15), account }
    },
    viewer: guarded(() => account),
    agents: guarded(() => ({ nodes: [], edges: [], pageInfo, totalCount: 0 })),
    agent: guarded(() => state.agent),
    models: guarded(() => models),
    updateAgent: guarded(({ input }: { input: Input }) => {
      state.updates.push({ ...input })
      if (input.expectedUpdatedAt !== state.agent.updatedAt) throw refusal('CONFLICT', 'The agent has changed.')
      const { id: _, expectedUpdatedAt: __, model: name, ...fields } = input
      const chosen = name === undefined ? {} : { model: models.find((one) => one.name === name) ?? null }
      return { agent: state.change({ ...fields, ...chosen }) }
    }),
    completeAgent: guarded(() => ({ agent: state.change({ state: 'COMPLETED' }) })),
    reopenAgent: guarded(() => ({ agent: state.change({ state: 'DRAFT' }) })),
    createAgent: guarded(({ input }: { input: Input }) => {
      state.created.push({ ...input })
      return { agent: { ...state.agent, id: 'a2', name: input.name } }
    }),
    deleteAgent: guarded(({ input }: { input: Input }) => {
      state.deleted.push(input.id)
      return { id: input.id }
    }),
  })
  session.signedIn('good', inMinutes(15), Date.now())
  return state
}

const instructions = () => screen.findByLabelText('Instructions')
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const save = async () => userEvent.click(await button('Save changes'))

test('the canvas opens a node by keyboard, and the address says which', async () => {
  service()
  const { router } = renderApp('/agents/a1')
  const node = await button(/^Model/)
  expect((await button(/^Channels/)).textContent).toContain('No API export yet')
  node.focus()
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByRole('dialog', { name: 'Model' })).toBeTruthy()
  expect(router.state.location.search).toEqual({ node: 'model' })
  await screen.findByRole('radio', { name: /Fast/ })
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

test('a draft names what it lacks and cannot be completed; a whole one can', async () => {
  const state = service({ instructions: '', model: null, missing: ['INSTRUCTIONS', 'MODEL'] })
  const { queryClient } = renderApp('/agents/a1')
  const link = await screen.findByRole('link', { name: 'Write its instructions' })
  expect(link.getAttribute('href')).toBe('/agents/a1?node=agent')
  expect(screen.getByRole('link', { name: 'Choose a model that is available' })).toBeTruthy()
  expect(((await button('Complete agent')) as HTMLButtonElement).disabled).toBe(true)
  state.change({ instructions: 'x', model: models[1], missing: [] })
  await queryClient.invalidateQueries({ queryKey: ['agent'] })
  await waitFor(async () => expect(((await button('Complete agent')) as HTMLButtonElement).disabled).toBe(false))
  await userEvent.click(await button('Complete agent'))
  expect(await screen.findByText('This agent answers callers.')).toBeTruthy()
})

test('saving sends only what was changed, and says so when callers get it', async () => {
  const state = service({ state: 'COMPLETED' })
  renderApp('/agents/a1?node=agent')
  const first = state.agent.updatedAt
  await userEvent.type(await instructions(), ' Be brief.')
  await userEvent.type(screen.getByLabelText('Temperature'), '0.5')
  await save()
  expect(await screen.findByText('Saved: live for callers now')).toBeTruthy()
  expect(state.updates).toEqual([
    { id: 'a1', instructions: 'Be kind. Be brief.', temperature: 0.5, expectedUpdatedAt: first },
  ])
  await userEvent.type(screen.getByLabelText('Instructions'), ' Again.')
  await save()
  await waitFor(() => expect(state.agent.instructions).toBe('Be kind. Be brief. Again.'))
})

test('a change of another tab is shown and not overwritten', async () => {
  const state = service()
  renderApp('/agents/a1?node=agent')
  await userEvent.type(await instructions(), ' Mine.')
  state.change({ instructions: 'Theirs.' })
  await save()
  const alert = await screen.findByText('This agent was changed elsewhere')
  expect(alert.closest('[role="alert"]')?.textContent).toContain('Theirs.')
  expect(state.agent.instructions).toBe('Theirs.')
  expect(((await instructions()) as HTMLTextAreaElement).value).toBe('Be kind. Mine.')
  await userEvent.click(await button('Keep my changes'))
  await save()
  await waitFor(() => expect(state.agent.instructions).toBe('Be kind. Mine.'))
})

test('a change elsewhere of what the form does not show is kept, and the save goes through', async () => {
  const state = service()
  renderApp('/agents/a1?node=agent')
  await userEvent.type(await instructions(), ' Mine.')
  state.change({ model: models[0] })
  await save()
  await waitFor(() => expect(state.agent.instructions).toBe('Be kind. Mine.'))
  expect(state.agent.model).toBe(models[0])
})

test('unsaved changes are asked about; keeping on editing keeps them', async () => {
  const state = service()
  const { router } = renderApp('/agents/a1?node=agent')
  await userEvent.type(await instructions(), ' Mine.')
  await userEvent.keyboard('{Escape}')
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Keep editing' })))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Keep editing' }))
  expect(router.state.location.search).toEqual({ node: 'agent' })
  expect(((await instructions()) as HTMLTextAreaElement).value).toBe('Be kind. Mine.')
  void router.navigate({ to: '/agents' })
  await userEvent.click(await button('Discard changes'))
  await screen.findByRole('heading', { name: 'Agents', level: 1 })
  await router.navigate({ to: '/agents/$id', params: { id: 'a1' }, search: { node: 'agent' } })
  expect(((await instructions()) as HTMLTextAreaElement).value).toBe('Be kind.')
  expect(state.updates).toEqual([])
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
  expect(screen.getByText('Your unsaved changes were restored.')).toBeTruthy()
})

test('invalid input is reported at the field', async () => {
  const state = service()
  renderApp('/agents/a1?node=agent')
  await instructions()
  await userEvent.clear(screen.getByLabelText('Name'))
  await userEvent.type(screen.getByLabelText('Temperature'), '3')
  await save()
  expect(await screen.findByText('This field is required.')).toBeTruthy()
  expect(screen.getByText('Must be between 0 and 2, or empty.')).toBeTruthy()
  expect(state.updates).toEqual([])
})

test('models show their price; the sandbox is marked, and unavailable models cannot be chosen', async () => {
  const state = service({ model: null, missing: ['MODEL'] })
  renderApp('/agents/a1?node=model')
  const sandbox = await screen.findByRole('radio', { name: /Assistant/ })
  expect(screen.getByText('It returns made-up replies for testing.')).toBeTruthy()
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
  expect(await screen.findByText('Must be a whole number between 0 and 40, or empty.')).toBeTruthy()
  expect(state.updates).toEqual([])
  await userEvent.clear(field)
  await userEvent.type(field, '0')
  await save()
  await waitFor(() => expect(state.updates[0]).toMatchObject({ id: 'a1', contextTurns: 0 }))
  await userEvent.clear(field)
  await save()
  await waitFor(() => expect(state.updates[1]).toMatchObject({ id: 'a1', contextTurns: null }))
})

test('duplicating copies everything, and opens the copy', async () => {
  const state = service({ description: 'For the shop', contextTurns: 3 })
  const { router } = renderApp('/agents/a1')
  await userEvent.click(await button('Duplicate agent'))
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents/a2'))
  expect(state.created).toEqual([
    {
      name: 'Copy of Shop',
      description: 'For the shop',
      instructions: 'Be kind.',
      temperature: null,
      maxOutputTokens: null,
      contextTurns: 3,
      model: 'acme/fast',
    },
  ])
})

test('deleting names the agent, and Cancel has the focus', async () => {
  const state = service()
  const { router } = renderApp('/agents/a1')
  await userEvent.click(await button('Delete agent'))
  const dialog = await screen.findByRole('dialog', { name: 'Delete agent “Shop”?' })
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Cancel' })))
  expect(state.deleted).toEqual([])
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete agent' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents'))
  expect(state.deleted).toEqual(['a1'])
})
