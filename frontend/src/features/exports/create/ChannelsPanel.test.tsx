import { screen, waitFor, within } from '@testing-library/react'
import type userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { version } from '@/shared/testing/versions'
import { apiKey, exportRow as row, exportService as service } from '@/testing/exportService'
import { open } from './channelsTesting'

// The dialogs are loaded when first asked for, which on a busy machine takes a while.
beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.signedOut())

async function ask(user: ReturnType<typeof userEvent.setup>) {
  await user.click(await screen.findByRole('button', { name: 'Create API Export' }))
  const dialog = await screen.findByRole('dialog', { name: 'Create API Export' })
  return { dialog, submit: within(dialog).getByRole('button', { name: 'Create API Export' }) }
}

async function create(user: ReturnType<typeof userEvent.setup>) {
  await user.click((await ask(user)).submit)
  return screen.findByTestId('api-key')
}

test('acceptance 3 and 6: the key is shown in full, in no cache and no storage, and gone once saved', async () => {
  service()
  const { user, queryClient } = open()
  expect((await create(user)).textContent).toBe(apiKey)
  const cached = JSON.stringify([
    queryClient
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.data),
    queryClient
      .getMutationCache()
      .getAll()
      .map(({ state }) => state),
    { ...localStorage },
    { ...sessionStorage },
  ])
  expect(cached).not.toContain(apiKey)
  expect(screen.queryByRole('button', { name: 'Create API Export' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'I’ve saved the key' }))
  expect(document.body.innerHTML).not.toContain(apiKey)
  expect(document.body.textContent).toContain('$AGENTCHAT_API_KEY')
  await screen.findByRole('heading', { name: 'API exports' })
  await screen.findByText('…n0', { selector: 'code' })
  expect(document.body.textContent).not.toContain('agc_')
})

test('acceptance 3: a link does not lose the key silently', async () => {
  service()
  const { user, router } = open()
  await create(user)
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Key of “API export”'))
  await user.click(await screen.findByRole('link', { name: 'Removed exports' }))
  const question = await screen.findByRole('alertdialog', { name: 'Did you save the key?' })
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Back to the key'))
  await user.click(within(question).getByRole('button', { name: 'Back to the key' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(screen.getByTestId('api-key').textContent).toBe(apiKey)
  expect(router.state.location.href).toBe('/agent')
  await user.click(screen.getByRole('link', { name: 'Removed exports' }))
  await user.click(await screen.findByRole('button', { name: 'Leave without saving' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/exports'))
  await waitFor(() => expect(document.body.innerHTML).not.toContain(apiKey))
})

test('acceptance 3: Back and a reload ask too, and after saving they do not', async () => {
  service()
  const { user, router } = open()
  await create(user)
  const reload = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(reload()).toBe(false)
  router.history.back()
  await user.click(await screen.findByRole('button', { name: 'Back to the key' }))
  expect(router.state.location.pathname).toBe('/agent')
  await user.click(screen.getByRole('button', { name: 'I’ve saved the key' }))
  expect(reload()).toBe(true)
  router.history.back()
  expect(await screen.findByText('Before')).toBeTruthy()
})

test('the dialog sends the name, and stays open until the key has come', async () => {
  let arrive: (made: unknown) => void = () => undefined
  const asked: unknown[] = []
  answer({
    agent: { id: 'a1', name: 'Shop', state: 'LIVE', exports: [] },
    createApiExport: ({ input }: { input: unknown }) => {
      asked.push(input)
      return new Promise((resolve) => (arrive = resolve))
    },
  })
  const { user } = open()
  const { dialog, submit } = await ask(user)
  await user.type(within(dialog).getByLabelText('Name (optional)'), ' Web shop ')
  await user.click(submit)
  await waitFor(() => expect(asked).toEqual([{ agentId: 'a1', name: 'Web shop' }]))
  await user.keyboard('{Escape}')
  expect(screen.getByRole('dialog')).toBeTruthy()
  arrive({ apiKey, export: row('e1', 'Web shop') })
  expect((await screen.findByTestId('api-key')).textContent).toBe(apiKey)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a draft cannot be exported, and it says why', async () => {
  service([], { of: { state: 'DRAFT' } })
  open()
  const button = await screen.findByRole('button', { name: 'Create API Export' })
  expect(button.hasAttribute('disabled')).toBe(true)
  expect(screen.getByText(/^Publish the agent first/).id).toBe(button.getAttribute('aria-describedby'))
})

test('a sandbox agent says that its replies are made up', async () => {
  service([], { of: { model: { sandbox: true } } })
  open()
  expect(await screen.findByText(/made-up replies for testing/)).toBeTruthy()
})

test('exports are rows that lead to their pages, before the samples', async () => {
  const limited = { creditsUsedToday: 500, dailyCreditLimit: 500 }
  const [older, newer] = [row('e2', 'Till'), row('e2b', '')]
  service([
    { ...row('e1', 'Web shop'), ...limited },
    { ...older, keys: [...newer.keys, ...older.keys] },
  ])
  open()
  const heading = await screen.findByRole('heading', { name: 'API exports' })
  const list = within(heading.closest('section') as HTMLElement)
  expect(list.queryByRole('columnheader', { name: 'Agent' })).toBeNull()
  const [shop, till] = (await list.findAllByRole('link')).filter((link) => link.closest('tbody'))
  expect([shop, till].map((link) => link?.getAttribute('href'))).toEqual(['/exports/e1', '/exports/e2'])
  expect(shop?.closest('tr')?.textContent).toContain('Limit reached')
  expect(till?.closest('tr')?.textContent).toContain('2 keys')
  expect(list.getByRole('link', { name: 'Removed exports' }).getAttribute('href')).toBe(
    '/exports?agent=a1&state=REMOVED',
  )
  const program = screen.getByRole('region', { name: 'First call command' })
  expect(program.compareDocumentPosition(shop as Node) & Node.DOCUMENT_POSITION_PRECEDING).toBeTruthy()
})

test('a limit is reached when what is left of it does not pay a message', async () => {
  const published = version(3)
  Object.assign(published.model, { creditsPerMessage: 3 })
  const limited = { dailyCreditLimit: 500, creditsUsedToday: 498 }
  service(
    [
      { ...row('e1', 'Two left'), ...limited },
      { ...row('e2', 'Three left'), ...limited, creditsUsedToday: 497 },
      { ...row('e3', 'Another version, of unknown price'), ...limited, version: 2 },
    ],
    { published },
  )
  open()
  const item = async (name: string) => (await screen.findByRole('link', { name })).closest('tr')?.textContent
  expect(await item('Two left')).toContain('Limit reached')
  expect(await item('Three left')).not.toContain('Limit reached')
  expect(await item('Another version, of unknown price')).not.toContain('Limit reached')
})

test('the first call sends a user_id once an export asks for it', async () => {
  const rows = service([row('e1', 'Web shop')])
  const { queryClient } = open()
  const program = await screen.findByRole('region', { name: 'First call command' })
  expect(await screen.findByText('Web shop')).toBeTruthy()
  expect(program.textContent).not.toContain('user_id')
  Object.assign(rows[0] ?? {}, { userDailyMessageLimit: 5 })
  void queryClient.invalidateQueries({ queryKey: ['agentExports'] })
  await waitFor(() => expect(program.textContent).toContain('"user_id": "user-1"'))
})

test('a refused creation says why, without a request ID', async () => {
  answer({
    agent: { id: 'a1', name: 'Shop', state: 'LIVE', exports: [] },
    createApiExport: () => {
      throw refusal('CONFLICT', 'The agent is a draft.')
    },
  })
  const { user } = open()
  await user.click((await ask(user)).submit)
  const message = await screen.findByText('The agent is a draft.')
  expect(message.closest('[role="alert"]')?.textContent).toBe('The agent is a draft.')
  expect(screen.queryByTestId('api-key')).toBeNull()
})
