import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => {
  session.signedOut()
})

const secret = 'agt_0123456789abcdefghijABCDEFGHIJ012345abcdef'

type Input = { name: string; role: string; expiresAt?: string }

/** An account with one token, for a member of a role. */
function service(viewerRole = 'OWNER') {
  const tokenOf = (id: string, { name, role, expiresAt }: Input) => ({
    id,
    name,
    hint: 'agt_…cdef',
    role,
    createdBy: { kind: 'USER', actorId: 'u1', name: id === 't1' ? '' : 'ada@example.com' },
    createdAt: inMinutes(-60),
    lastUsedAt: null,
    expiresAt: expiresAt ?? inMinutes(60),
  })
  const state = { tokens: [tokenOf('t1', { name: 'Old job', role: 'EDITOR' })], inputs: [] as Input[] }
  const account = { id: '1', name: 'Ada', creditBalance: 9, creditsHeld: 0, creditsAvailable: 9, viewerRole }
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '', mail: false },
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      ...account,
      accountTokens: () => {
        if (viewerRole !== 'OWNER') throw refusal('FORBIDDEN', 'Only owners see the tokens.')
        return state.tokens
      },
    },
    createAccountToken: ({ input }: { input: Input }) => {
      state.inputs.push(input)
      const accountToken = tokenOf('t2', input)
      state.tokens = [accountToken, ...state.tokens]
      return { accountToken, secret }
    },
    removeAccountToken: ({ input: { id } }: { input: { id: string } }) => {
      state.tokens = state.tokens.filter((token) => token.id !== id)
      return { removedAccountTokenId: id }
    },
  })
  return state
}

test('an owner makes a token and saves it', async () => {
  const state = service()
  const user = userEvent.setup()
  const { queryClient } = renderPage('/settings/tokens')
  await screen.findByText('Old job')
  await user.click(screen.getByRole('button', { name: 'Create token' }))
  expect(state.inputs).toEqual([])
  await user.type(screen.getByLabelText('Name'), ' Night job ')
  await user.click(screen.getByRole('button', { name: 'Create token' }))
  const shown = await screen.findByRole('region', { name: 'Account token “Night job”' })
  within(shown).getByText(secret)
  expect(state.inputs).toEqual([{ name: 'Night job', role: 'VIEWER' }])
  expect(
    JSON.stringify(
      queryClient
        .getQueryCache()
        .getAll()
        .map((query) => query.state.data),
    ),
  ).not.toContain(secret)
  await user.click(within(shown).getByRole('button', { name: 'I’ve saved the token' }))
  expect(screen.queryByText(secret)).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'New token' }))
  screen.getByText(/created by ada@example.com/)
})

test('an owner removes a token', async () => {
  service()
  const user = userEvent.setup()
  renderPage('/settings/tokens')
  await screen.findByText('Old job')
  await user.click(screen.getByRole('button', { name: 'Revoke “Old job”' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }))
  await waitFor(() => expect(screen.queryByText('Old job')).toBeNull())
  screen.getByText('No account tokens yet')
})

test('a token can be an editor and expire sooner', async () => {
  const state = service()
  const user = userEvent.setup()
  renderPage('/settings/tokens')
  await user.type(await screen.findByLabelText('Name'), 'Editor')
  await user.click(screen.getByRole('radio', { name: 'Read and write' }))
  await user.click(screen.getByRole('combobox', { name: 'Expires in' }))
  await user.click(await screen.findByRole('option', { name: '30 days' }))
  await user.click(screen.getByRole('button', { name: 'Create token' }))
  await screen.findByText(secret)
  const [{ role, expiresAt } = {}] = state.inputs as Partial<Input>[]
  expect(role).toBe('EDITOR')
  expect(Math.round((Date.parse(expiresAt ?? '') - Date.now()) / 86_400_000)).toBe(30)
})

test('members who are not owners see who can make tokens', async () => {
  service('EDITOR')
  renderPage('/settings/tokens')
  await screen.findByText('Owners only')
  expect(screen.queryByRole('button', { name: 'Create token' })).toBeNull()
})
