import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

afterEach(() => session.forget())

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

type Entry = { action: string; kind?: string; name?: string; field?: string; browser?: string; address?: string }

/** A service whose one user has these entries, of which a page shows two. */
function service(entries: Entry[]) {
  const nodes = entries.map(({ action, kind = 'USER', name = 'ada@example.com', field, browser, address }, i) => ({
    id: `e${i}`,
    at: inMinutes(-60 * (i + 1)),
    actor: { kind, name },
    action,
    subject: 'u1',
    details: field ? [{ field }] : [],
    browser,
    address,
  }))
  const events = ({ after }: { after?: string | null }) => {
    const from = Number(after ?? 0)
    const to = from + 2
    return { nodes: nodes.slice(from, to), pageInfo: { hasNextPage: to < nodes.length, endCursor: String(to) } }
  }
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '' },
    renewAccess: () => {
      throw refusal('UNAUTHENTICATED', 'Not signed in.')
    },
    me: { id: 'u1', email: 'ada@example.com', secondFactor: false, recoveryCodesLeft: 0, emailVerified: true, events },
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: 9,
      creditsHeld: 0,
      creditsAvailable: 9,
      signIns: [],
      requireSecondFactor: false,
    },
  })
  session.signedIn('good', inMinutes(15), Date.now())
}

const table = async () => within(await screen.findByRole('region', { name: 'Security log' }))

test('each entry says what was done, with which browser, from where and when; page by page', async () => {
  service([
    { action: 'signIn', field: 'newBrowser', browser: firefox, address: '192.0.2.80' },
    { action: 'signInFailed', kind: 'SYSTEM', name: 'Agent Chat' },
    { action: 'account password', kind: 'OPERATOR', name: 'Grace', field: 'password' },
    { action: 'user sign-out', kind: 'OPERATOR', name: '' },
    { action: 'signUp', browser: 'curl/8.5', address: '198.51.100.7' },
  ])
  renderPage('/settings/security')
  const list = await table()
  const rows = () => list.getAllByRole('row').slice(1)
  expect(rows().map((row) => row.textContent)).toEqual([
    'Signed inNew browserFirefox, Linux192.0.2.801 hour ago',
    'Failed attempts with a wrong password or code2 hours ago',
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await list.findByText('Signed out by the operator')
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await list.findByText('Account created')
  expect(
    rows()
      .slice(2)
      .map((row) => row.textContent),
  ).toEqual([
    'Password set by the operatorGrace3 hours ago',
    'Signed out by the operator4 hours ago',
    'Account createdcurl/8.5198.51.100.75 hours ago',
  ])
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('a change of address reads alike, by a link and without mail; what was only asked for does not', async () => {
  service([
    { action: 'verifyEmail', field: 'email' },
    { action: 'changeEmail', field: 'email' },
  ])
  const { unmount } = renderPage('/settings/security')
  await table()
  expect(screen.getAllByText('Email changed').length).toBe(2)
  unmount()
  service([{ action: 'changeEmail' }, { action: 'undoEmailChange', field: 'email' }])
  renderPage('/settings/security')
  await table()
  expect(screen.getByText('Email change requested')).toBeTruthy()
  expect(screen.getByText('Email change undone by link')).toBeTruthy()
})

test('what becomes of a second factor has its words, and a recovery code its mark', async () => {
  service([
    { action: 'confirmPassword', field: 'recoveryCode' },
    { action: 'user clear-second-factor', kind: 'OPERATOR', name: 'Grace' },
  ])
  renderPage('/settings/security')
  const list = await table()
  const rows = list.getAllByRole('row').slice(1)
  expect(rows.map((row) => row.textContent)).toEqual([
    'Identity confirmedRecovery code1 hour ago',
    'Two-factor authentication turned off by the operatorGrace2 hours ago',
  ])
})

test('failed tries stand out, and an action that is not known yet is shown as it is called', async () => {
  service([{ action: 'signInFailed', kind: 'SYSTEM', name: 'Agent Chat' }, { action: 'doSomething' }])
  renderPage('/settings/security')
  const list = await table()
  expect(list.getByText('Failed attempts with a wrong password or code').style.color).toBe('var(--bad)')
  expect(list.getByText('doSomething').style.color).toBe('')
  expect(list.queryByText('New browser')).toBeNull()
})
