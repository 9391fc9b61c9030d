import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, session } from '@/shared/gql'
import { answer, inMinutes, refusal, type Seen } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'
import { renderPage } from '@/testing/renderPage'

const link = 'https://chat.example.com/invitation#token=shown-once'

let load = vi.spyOn(page, 'load')
beforeEach(() => {
  load = vi.spyOn(page, 'load').mockReturnValue()
})
afterEach(() => session.forget())

const member = (userId: string, name: string, role: string) => ({
  userId,
  name,
  email: `${name.toLowerCase()}@example.com`,
  role,
  since: inMinutes(-60),
  secondFactor: false,
  lastSeenAt: inMinutes(-5),
})

const token = (id: string, name: string, by: string) => ({
  id,
  name,
  createdBy: { kind: 'USER', actorId: by, name: '' },
})

type Input = Record<string, string>

/** The members of an account, as one of them sees it. It notes what is changed. */
function service({ role = 'OWNER', mail = false } = {}) {
  const calls: [string, Input?][] = []
  const state = {
    members: [member('u1', 'Ada', role), member('u2', 'Bob', 'EDITOR')],
    invitations: [] as object[],
    last: false,
    down: false,
  }
  const note =
    <T,>(name: string, run: (input: Input) => T) =>
    ({ input }: { input: Input }) => {
      calls.push([name, { ...input }])
      return run(input)
    }
  const invitation = (email = '', invitedRole = 'EDITOR') => ({
    id: 'i1',
    email,
    role: invitedRole,
    invitedBy: { kind: 'USER', actorId: 'u1', name: 'ada@example.com' },
    createdAt: inMinutes(0),
    expiresAt: inMinutes(7 * 24 * 60),
  })
  session.signedIn('good', inMinutes(15), Date.now())
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '', mail },
    viewer: () => ({
      id: '1',
      name: 'Northwind',
      viewerRole: role,
      usage: [],
      requireSecondFactor: false,
      members: state.members,
      invitations: () => {
        if (role !== 'OWNER') throw refusal('FORBIDDEN', 'Owners only.')
        return state.invitations
      },
      accountTokens: () => {
        if (role !== 'OWNER') throw refusal('FORBIDDEN', 'Owners only.')
        if (state.down) throw refusal('INTERNAL', 'Something went wrong.')
        return [token('t1', 'Night job', 'u1'), token('t2', 'Export run', 'u2')]
      },
      exports: () => {
        if (state.down) throw refusal('INTERNAL', 'Something went wrong.')
        return {
          nodes: [
            { id: 'e1', name: 'Website', keys: [{ id: 'k1', createdBy: { kind: 'USER', actorId: 'u2', name: '' } }] },
          ],
        }
      },
    }),
    inviteMember: note('invite', ({ email, role }) => {
      state.invitations = [invitation(email, role)]
      return { invitation: state.invitations[0], link }
    }),
    renewInvitation: note('renew', () => ({ invitation: state.invitations[0], link })),
    revokeInvitation: note('revoke', ({ id }) => {
      state.invitations = []
      return { revokedInvitationId: id }
    }),
    setMemberRole: note('role', ({ userId, role }) => {
      if (state.last) throw refusal('CONFLICT', 'The account keeps its last owner.')
      const found = state.members.find((one) => one.userId === userId)
      return { member: Object.assign(found ?? {}, { role }) }
    }),
    removeMember: note('remove', ({ userId }) => {
      state.members = state.members.filter((one) => one.userId !== userId)
      return { userId }
    }),
    leaveAccount: () => {
      calls.push(['leave'])
      return { ok: true }
    },
  })
  return { calls, state }
}

const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))

test('an owner invites by address and role, and the link is shown once', async () => {
  const { calls } = service()
  renderPage('/settings/members')
  await userEvent.click(await screen.findByRole('button', { name: 'Invite' }))
  const form = await dialog('Invite a member')
  await userEvent.type(form.getByLabelText('Email'), ' cleo@example.com ')
  await userEvent.click(form.getByRole('radio', { name: 'Viewer' }))
  await userEvent.click(form.getByRole('button', { name: 'Invite' }))
  const shown = await dialog(/^Invitation for .*cleo@example\.com/)
  expect(shown.getByTestId('invitation-link').textContent).toBe(link)
  expect(shown.getByText(/Email isn’t set up/)).toBeTruthy()
  expect(calls).toEqual([['invite', { email: 'cleo@example.com', role: 'VIEWER' }]])
  const [close] = shown.getAllByRole('button', { name: 'Close' })
  await userEvent.click(close as HTMLElement)
  await waitFor(() => expect(document.body.textContent).not.toContain('shown-once'))

  await userEvent.click(await screen.findByRole('button', { name: /^New link for/ }))
  expect((await dialog(/^Invitation for/)).getByText(link)).toBeTruthy()
})

test('an owner raises a role at once, and lowers it after a question that says what goes on working', async () => {
  const { calls } = service()
  renderPage('/settings/members')
  const role = () => screen.findByRole('combobox', { name: /^Role of .*Bob/ })
  await userEvent.selectOptions(await role(), 'Owner')
  await waitFor(() => expect(calls).toEqual([['role', { userId: 'u2', role: 'OWNER' }]]))
  await waitFor(async () => expect(((await role()) as HTMLSelectElement).value).toBe('OWNER'))
  await userEvent.selectOptions(await role(), 'Viewer')
  const question = await dialog(/^Change the role of .*Bob/)
  expect(await question.findByText('Export run')).toBeTruthy()
  expect(question.queryByText('Night job')).toBeNull()
  expect(question.getByRole('link', { name: /account tokens/ }).getAttribute('href')).toBe('/settings/tokens')
  expect((await question.findByRole('link', { name: /Website/ })).getAttribute('href')).toBe('/exports/e1')
  expect(calls).toHaveLength(1)
  await userEvent.click(question.getByRole('button', { name: 'Change to Viewer' }))
  await waitFor(() => expect(calls.at(-1)).toEqual(['role', { userId: 'u2', role: 'VIEWER' }]))
})

test('what could not be looked up does not look like none', async () => {
  const { state } = service()
  state.down = true
  renderPage('/settings/members')
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: /^Role of .*Bob/ }), 'Viewer')
  const question = await dialog(/^Change the role of .*Bob/)
  expect(await question.findByText('Couldn’t load the account tokens.')).toBeTruthy()
  expect(await question.findByText('Couldn’t load the keys they created.')).toBeTruthy()
})

test('an owner removes a member, whose keys are listed', async () => {
  const { calls } = service()
  renderPage('/settings/members')
  await userEvent.click(await screen.findByRole('button', { name: /^Remove .*Bob/ }))
  const question = await dialog(/^Remove .*Bob/)
  const replace = await question.findByRole('link', { name: /Website/ })
  expect(replace.getAttribute('href')).toBe('/exports/e1')
  await userEvent.click(question.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(calls.at(-1)).toEqual(['remove', { userId: 'u2', removeTokens: true }]))
  await waitFor(() => expect(screen.queryByRole('combobox', { name: /Bob/ })).toBeNull())
})

test('one’s own role takes a question, and the last owner stays one', async () => {
  const { calls, state } = service()
  state.last = true
  renderPage('/settings/members')
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: /^Role of .*Ada/ }), 'Editor')
  const question = await dialog('Change your own role?')
  expect(await question.findByText('Night job')).toBeTruthy()
  expect(calls).toEqual([])
  await userEvent.click(question.getByRole('button', { name: 'Become Editor' }))
  expect(await screen.findByText('The account keeps its last owner.')).toBeTruthy()
})

test('others see who is there, and may leave', async () => {
  const { calls } = service({ role: 'VIEWER' })
  const { router } = renderPage('/settings/members')
  await screen.findByText('bob@example.com')
  expect(screen.queryByRole('combobox')).toBeNull()
  expect(screen.queryByRole('button', { name: /Invite|Remove/ })).toBeNull()
  await router.navigate({ to: '/settings/general' })
  await userEvent.click(await screen.findByRole('button', { name: 'Leave account' }))
  await userEvent.click((await dialog('Leave this account?')).getByRole('button', { name: 'Leave account' }))
  await waitFor(() => expect(load).toHaveBeenCalledWith('/'))
  expect(calls).toEqual([['leave']])
})

test('an owner who leaves is told which of their tokens keep working; the only owner cannot leave', async () => {
  const { state } = service()
  const { unmount } = renderPage('/settings/general')
  expect(await screen.findByText(/^You’re the only owner/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Leave account' })).toBeNull()
  unmount()
  state.members.push(member('u3', 'Eve', 'OWNER'))
  renderPage('/settings/general')
  await userEvent.click(await screen.findByRole('button', { name: 'Leave account' }))
  const question = await dialog('Leave this account?')
  expect(await question.findByText('Night job')).toBeTruthy()
  expect(question.queryByText('Export run')).toBeNull()
  expect(question.getByRole('link', { name: /account tokens/ }).getAttribute('href')).toBe('/settings/tokens')
})

test('who has no account may open one', async () => {
  service()
  const named: string[] = []
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '', mail: false },
    viewer: () => null,
    createAccount: ({ input }: { input: Input }, { account }: Seen) => {
      named.push(String(input.name), String(account))
      return { account: { accountId: 'new', name: input.name, creditsAvailable: 0 } }
    },
  })
  renderApp('/agents')
  expect(await screen.findByRole('heading', { name: 'You have no account' })).toBeTruthy()
  await userEvent.type(await screen.findByLabelText('Account name'), 'Own')
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
  await waitFor(() => expect(load).toHaveBeenCalledWith('/?account=new'))
  expect(named).toEqual(['Own', 'null'])
})
