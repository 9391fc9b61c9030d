import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
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
const button = (name: string | RegExp) => screen.findByRole('button', { name })
/** Ctrl S saves at once. */
const save = async () => userEvent.keyboard('{Control>}s{/Control}')
const saved = () => waitFor(() => expect(screen.getByTestId('save-state').textContent).toBe('Saved'))

test('acceptance 14: saving sends only what was changed, and says when callers get it', async () => {
  const state = service({}, 1)
  renderPage('/agents/a1?node=agent')
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
  const { queryClient } = renderPage('/agents/a1?node=agent')
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
  renderPage('/agents/a1?node=agent')
  await userEvent.type(await instructions(), ' Mine.')
  await userEvent.clear(screen.getByLabelText('Temperature'))
  await userEvent.type(screen.getByLabelText('Temperature'), '0.3')
  state.change({ instructions: 'Theirs.', temperature: 0.2, name: 'Desk' })
  await save()
  const dialog = within(await screen.findByRole('dialog', { name: '“Desk” was changed elsewhere' }))
  const lines = await dialog.findByRole('list', { name: 'Instructions, line 1' })
  expect(lines.textContent).toContain('Theirs.')
  expect(lines.textContent).toContain('Be kind. Mine.')
  expect(dialog.getByText(/Name \(theirs\)/)).toBeTruthy()
  expect(state.agent.instructions).toBe('Theirs.')
  // Closing it saves nothing and keeps the typed text.
  await userEvent.click(dialog.getByRole('button', { name: 'Close' }))
  await save()
  expect(screen.getByText('Not saved: changed elsewhere')).toBeTruthy()
  expect(state.agent.instructions).toBe('Theirs.')
  expect(((await instructions()) as HTMLTextAreaElement).value).toBe('Be kind. Mine.')
  const note = screen.getByText(/^The same text was changed elsewhere/).closest('[role=status]') as HTMLElement
  await userEvent.click(within(note).getByRole('button', { name: 'Compare' }))
  const again = within(await screen.findByRole('dialog', { name: '“Desk” was changed elsewhere' }))
  const temperature = within(again.getByRole('region', { name: '2. Temperature' }))
  await userEvent.click(temperature.getByRole('radio', { name: 'Theirs' }))
  await userEvent.click(again.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(state.agent).toMatchObject({ instructions: 'Be kind. Mine.', temperature: 0.2, name: 'Desk' }),
  )
  await saved()
})

test('publishing waits for what was typed', async () => {
  const state = service()
  renderPage('/agents/a1?node=agent')
  await userEvent.type(await instructions(), ' Be brief.')
  await userEvent.click(await button('Publish'))
  await userEvent.click(await button('Publish version 1'))
  await waitFor(() => expect(state.versions[0]?.instructions).toBe('Be kind. Be brief.'))
})

test('what cannot be saved keeps from publishing, and is led to; its line says what is wrong', async () => {
  const state = service()
  renderPage('/agents/a1?node=agent')
  await instructions()
  await userEvent.type(screen.getByLabelText('Temperature'), '3')
  await userEvent.click(await button('Publish'))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Temperature')))
  const part = document.querySelector<HTMLDetailsElement>('#build-model')
  expect(part?.open).toBe(true)
  expect(part?.querySelector('summary')?.textContent).toContain('Enter a number from 0 to 2, or leave it empty.')
  expect(screen.getByText('Can’t save: fix the highlighted fields')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(state.updates).toEqual([])
})

test('a change elsewhere of another field is kept, and the save goes through', async () => {
  const state = service()
  renderPage('/agents/a1?node=agent')
  await userEvent.type(await instructions(), ' Mine.')
  state.change({ model: models[0] })
  await save()
  await waitFor(() => expect(state.agent.instructions).toBe('Be kind. Mine.'))
  expect(state.agent.model).toBe(models[0])
})

test('leaving saves first, and asks only about what could not be saved', async () => {
  const state = service()
  const { router } = renderPage('/agents/a1?node=agent')
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
  const { router } = renderPage('/agents/a1?node=agent')
  await userEvent.type(await instructions(), ' Mine.')
  state.expired = true
  await save()
  await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'right password')
  await userEvent.click(await button('Sign in'))
  expect(((await instructions()) as HTMLTextAreaElement).value).toBe('Be kind. Mine.')
  expect(router.state.location.href).toBe('/agents/a1?node=agent')
  expect(screen.getByText('Your unsaved changes were restored.')).toBeTruthy()
  await waitFor(() => expect(state.agent.instructions).toBe('Be kind. Mine.'), { timeout: 5_000 })
})

const away = () => {
  throw new Error('The service is away.')
}

/** Types while the service is away, and reloads the page. `meanwhile` happens in between. */
async function reload(state: ReturnType<typeof service>, meanwhile: () => void) {
  state.refuse = away
  const { unmount } = renderPage('/agents/a1?node=agent')
  await userEvent.type(await instructions(), ' Mine.')
  await save()
  await screen.findByText('Not saved')
  dispatchEvent(new Event('pagehide'))
  unmount()
  state.refuse = undefined
  meanwhile()
  return renderPage('/agents/a1?node=agent')
}

const drafts = () => Object.keys(sessionStorage).filter((key) => key.startsWith('draft/'))

test('what was typed before a reload is there again, and saved, and kept no longer', async () => {
  const state = service()
  await reload(state, () => expect(drafts()).toEqual(['draft/u1/1/a1/agent']))
  expect(await instructions()).toHaveProperty('value', 'Be kind. Mine.')
  expect(screen.getByTestId('save-state').textContent).not.toBe('Saved')
  await save()
  await saved()
  expect(state.agent.instructions).toBe('Be kind. Mine.')
  await waitFor(() => expect(drafts()).toEqual([]))
})

test('what was typed before a reload is compared with what was changed meanwhile', async () => {
  const state = service()
  await reload(state, () => state.change({ instructions: 'Theirs.' }))
  const dialog = within(await screen.findByRole('dialog', { name: '“Shop” was changed elsewhere' }))
  expect((await dialog.findByRole('list', { name: 'Instructions, line 1' })).textContent).toContain('Be kind. Mine.')
  expect(state.agent.instructions).toBe('Theirs.')
})

test('the unsaved instructions of a deleted agent can be copied', async () => {
  const state = service()
  const gone = async () => {
    throw refusal('NOT_FOUND', 'There is no such agent.')
  }
  await reload(state, () => {
    state.read = gone
  })
  const note = (await screen.findByText(/^This agent was deleted/)).closest('[role=status]') as HTMLElement
  vi.stubGlobal('isSecureContext', true)
  onTestFinished(() => void vi.unstubAllGlobals())
  const user = userEvent.setup() // with a clipboard
  await user.click(within(note).getByRole('button', { name: 'Copy instructions' }))
  expect(await navigator.clipboard.readText()).toBe('Be kind. Mine.')
})

test('another user who signs in in this tab finds no draft', async () => {
  const state = service()
  await reload(state, () => {
    state.refuse = away
    sessionStorage.setItem('draft/u0/1/a1/agent', '{}')
  })
  await instructions()
  await waitFor(() => expect(drafts()).toEqual(['draft/u1/1/a1/agent']))
  session.signedOut()
  await waitFor(() => expect(drafts()).toEqual([]))
})

test('invalid input is reported at the field', async () => {
  const state = service()
  renderPage('/agents/a1?node=agent')
  await instructions()
  await userEvent.clear(screen.getByLabelText('Name'))
  await userEvent.type(screen.getByLabelText('Temperature'), '3')
  await save()
  const at = (label: string) => screen.getByLabelText(label).closest('.mantine-InputWrapper-root')?.textContent
  await waitFor(() => expect(at('Name')).toContain('This field is required.'))
  expect(at('Temperature')).toContain('Enter a number from 0 to 2, or leave it empty.')
  expect(state.updates).toEqual([])
})

test('a message to the draft waits for what was typed', async () => {
  const state = service()
  renderPage('/agents/a1')
  await userEvent.type(await instructions(), ' Be brief.')
  await userEvent.type(screen.getByLabelText('Message'), 'Hello{Enter}')
  await waitFor(() => expect(state.agent.instructions).toBe('Be kind. Be brief.'), { timeout: 500 })
})
