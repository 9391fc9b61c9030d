import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { agentService } from '@/testing/agentService'
import { renderApp } from '@/testing/renderApp'

afterEach(() => {
  cleanup() // first: a page that is still there would ask for a new sign-in
  session.signedOut()
})

const items = () => screen.findAllByRole('heading', { name: /^Version \d+$/ })

/** What the list shows of one version. */
async function item(number: number) {
  const heading = await screen.findByRole('heading', { name: `Version ${number}` })
  return within(heading.closest('li') as HTMLElement)
}

const content = (number: number) => screen.findByRole('region', { name: `Content of version ${number}` })

test('versions are listed newest first, with their note, model and pinned exports; the live one is marked', async () => {
  const state = agentService({}, 2)
  Object.assign(state.versions[1] ?? {}, { note: 'The first one', pinnedBy: [{ id: 'e1', name: 'Till' }] })
  renderApp('/agents/a1/versions')
  expect((await items()).map(({ textContent }) => textContent)).toEqual(['Version 2', 'Version 1'])
  expect((await item(2)).getByText('Live')).toBeTruthy()
  const first = await item(1)
  expect(first.queryByText('Live')).toBeNull()
  expect(first.getByText('The first one')).toBeTruthy()
  expect(first.getByRole('link', { name: 'Till' }).getAttribute('href')).toBe('/exports/e1')
  expect(first.getByRole('link', { name: 'Try it' }).getAttribute('href')).toBe('/agents/a1/playground?version=1')
  expect(screen.getByText(/Restoring one changes the draft only: callers get it when you publish/)).toBeTruthy()
})

test('the open version is in the address, and is compared with the one before it or with the draft', async () => {
  const state = agentService({ temperature: 1 }, 3)
  state.change({ temperature: 0.2 })
  const { router } = renderApp('/agents/a1/versions')
  await userEvent.click((await item(3)).getByRole('button', { name: 'Show changes' }))
  expect(router.state.location.search).toEqual({ open: 3 })
  expect(await within(await content(3)).findByText('Removed:', { exact: false })).toBeTruthy()
  expect((await content(3)).textContent).toContain('Added: Be kind.')
  await userEvent.click(screen.getByRole('radio', { name: 'With the draft' }))
  expect(router.state.location.search).toEqual({ open: 3, against: 'draft' })
  expect(await screen.findByText('From version 3 to the draft:')).toBeTruthy()
  await waitFor(() => expect(screen.getByText('0.2').closest('dd')?.textContent).toBe('from 1 → to 0.2'))
})

test('an address opens its version, however old; the first one shows its content', async () => {
  agentService({}, 101)
  renderApp('/agents/a1/versions?open=1')
  expect((await within(await content(1)).findByText('Instructions of version 1.')).tagName).toBe('DIV')
})

test('variables are part of a version', async () => {
  const order = { name: 'order_id', description: 'The order', required: true, defaultValue: null }
  const state = agentService({ variables: [order] }, 1)
  state.change({ variables: [{ ...order, required: false, defaultValue: null }] })
  renderApp('/agents/a1/versions?open=1')
  const list = within(await content(1)).findByRole('list', { name: 'Variables' })
  expect((await list).textContent).toBe('order_id: required. The order')
  await userEvent.click(screen.getByRole('radio', { name: 'With the draft' }))
  const changes = within(await screen.findByRole('list', { name: 'Changes of the variables' }))
  expect(changes.getByText('Added:', { exact: false }).parentElement?.textContent).toBe(
    'Added: order_id: optional, empty by default. The order',
  )
})

test('older versions come at a click', async () => {
  agentService({}, 60)
  renderApp('/agents/a1/versions')
  expect(await items()).toHaveLength(50)
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(async () => expect(await items()).toHaveLength(60))
})

test('restoring into an unchanged draft needs no question, and says when callers get it', async () => {
  const state = agentService({}, 2)
  renderApp('/agents/a1/versions')
  expect((await item(2)).queryByRole('button', { name: 'Restore to draft' })).toBeNull()
  await userEvent.click((await item(1)).getByRole('button', { name: 'Restore to draft' }))
  expect(await screen.findByText('Version 1 is in the draft. Callers get it when you publish.')).toBeTruthy()
  expect(state.calls).toEqual(['restore 1'])
  expect(state.versions).toHaveLength(2)
})

test('restoring over unpublished changes shows them first, also those of another window', async () => {
  const state = agentService({}, 2)
  renderApp('/agents/a1/versions')
  const restore = (await item(1)).getByRole('button', { name: 'Restore to draft' })
  state.change({ instructions: 'Not published.' })
  await userEvent.click(restore)
  const asked = within(await screen.findByRole('dialog', { name: 'Restore version 1 to the draft?' }))
  await asked.findByText(/these unpublished changes are lost. Nothing changes for callers until you publish/)
  await waitFor(() => expect(asked.getByRole('list').textContent).toContain('Not published.'))
  expect(state.calls).toEqual([])
  await userEvent.click(asked.getByRole('button', { name: 'Restore to draft' }))
  await waitFor(() => expect(state.agent.instructions).toBe('Instructions of version 1.'))
})

test('an agent that was never published has no versions, and says how it gets one', async () => {
  agentService()
  renderApp('/agents/a1/versions')
  expect(await screen.findByRole('heading', { name: 'Nothing published yet' })).toBeTruthy()
  const tabs = within(screen.getByRole('navigation', { name: 'Pages of this agent' }))
  expect(tabs.getByRole('link', { name: 'Versions' }).getAttribute('aria-current')).toBe('page')
})
