import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { agentService } from '@/testing/agentService'
import { renderPage } from '@/testing/renderPage'

afterEach(() => {
  cleanup() // first: a page that is still there would ask for a new sign-in
  session.signedOut()
})

const items = () => screen.findAllByRole('link', { name: /^Version \d+$/ })

/** What the list shows of one version. */
async function item(number: number) {
  const link = await screen.findByRole('link', { name: `Version ${number}` })
  return within(link.closest('tr') as HTMLElement)
}

/** Chooses from the menu of a version. */
async function act(number: number, action: string) {
  await userEvent.click((await item(number)).getByRole('button', { name: `Actions for version ${number}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

const content = (number: number) => screen.findByRole('region', { name: `Content of version ${number}` })

test('versions are listed newest first, with their note, who published them and who is pinned; the live one is marked', async () => {
  const state = agentService({}, 2)
  Object.assign(state.versions[1] ?? {}, { note: 'The first one', pinnedBy: [{ id: 'e1', name: 'Till' }] })
  renderPage('/agents/a1/versions')
  expect((await items()).map(({ textContent }) => textContent)).toEqual(['Version 2', 'Version 1'])
  expect((await item(2)).getByText('Live')).toBeTruthy()
  const first = await item(1)
  expect(first.queryByText('Live')).toBeNull()
  expect(await first.findByText(/^The first one ·$/)).toBeTruthy()
  expect(first.getByRole('link', { name: 'Till' }).getAttribute('href')).toBe('/exports/e1')
  expect(first.getByText('Ada')).toBeTruthy()
  await userEvent.click(first.getByRole('button', { name: 'Actions for version 1' }))
  const link = await screen.findByRole('menuitem', { name: 'Try' })
  expect(link.getAttribute('href')).toBe('/agents/a1?version=1&try=window')
  expect(screen.getByText(/Restoring a version only changes the draft until you publish/)).toBeTruthy()
})

test('the open version is in the address, and is compared with the one before it or with the draft', async () => {
  const state = agentService({ temperature: 1 }, 3)
  state.change({ temperature: 0.2 })
  const { router } = renderPage('/agents/a1/versions')
  await userEvent.click((await item(3)).getByRole('link', { name: 'Version 3' }))
  expect(router.state.location.search).toEqual({ open: 3 })
  expect(await within(await content(3)).findByText('Removed:', { exact: false })).toBeTruthy()
  expect((await content(3)).textContent).toContain('Added: Be kind.')
  await userEvent.click(screen.getByRole('radio', { name: 'With the draft' }))
  expect(router.state.location.search).toEqual({ open: 3, against: 'draft' })
  expect(await screen.findByText('From version 3 to the draft:')).toBeTruthy()
  await waitFor(() => expect(screen.getByText('0.2').closest('dd')?.textContent).toBe('from 1 → to 0.2'))
})

test('each version says in words what it changed, and the draft what it would change', async () => {
  const order = { name: 'order_id', description: '', required: true, defaultValue: null }
  const state = agentService({ temperature: 0.7, variables: [order] }, 1)
  state.change({ temperature: 0.3, instructions: 'Be brief.' })
  state.publish('Calmer')
  state.change({
    model: { ...(state.agent.model as object), name: 'acme/fast', label: 'Fast' },
    variables: [{ ...order, name: 'plan' }],
  })
  state.publish()
  state.change({ variables: [{ ...order, name: 'plan', required: false }], replySchema: '{"type": "object"}' })
  renderPage('/agents/a1/versions')
  expect(await (await item(2)).findByText('Instructions +1 −1; Temperature: 0.7 → 0.3')).toBeTruthy()
  expect((await item(2)).getByText(/^Calmer ·$/)).toBeTruthy()
  expect(await (await item(3)).findByText('Variable plan added; Variable order_id removed')).toBeTruthy()
  expect(await (await item(1)).findByText('First version')).toBeTruthy()
  const draft = within((await screen.findByRole('link', { name: 'Draft' })).closest('tr') as HTMLElement)
  expect(await draft.findByText('Reply schema; Variable plan changed')).toBeTruthy()
})

test('any two versions can be compared, and the address says which', async () => {
  agentService({}, 5)
  const { router } = renderPage('/agents/a1/versions')
  await item(5)
  await userEvent.click(screen.getByLabelText('Select “Version 4”'))
  expect(screen.getByRole('button', { name: 'Select two to compare' })).toHaveProperty('disabled', true)
  await userEvent.click(screen.getByLabelText('Select “Version 2”'))
  await userEvent.click(screen.getByRole('button', { name: 'Compare' }))
  expect(router.state.location.search).toEqual({ open: 4, against: 2 })
  const shown = await content(4)
  expect(await within(shown).findByText('From version 2 to version 4:')).toBeTruthy()
  expect(within(shown).getByRole('radio', { name: 'With version 2' })).toHaveProperty('checked', true)
  await waitFor(() => expect(shown.textContent).toContain('Added: Instructions of version 4.'))
  expect(document.activeElement).toBe(shown)
  await userEvent.click(screen.getByRole('radio', { name: 'With version 3' }))
  expect(router.state.location.search).toEqual({ open: 4 })
})

test('the draft is compared with a version', async () => {
  const state = agentService({}, 3)
  state.change({ instructions: 'Not published.' })
  const { router } = renderPage('/agents/a1/versions')
  await item(3)
  await userEvent.click(screen.getByLabelText('Select “Version 2”'))
  await userEvent.click(await screen.findByLabelText('Select “Draft”'))
  await userEvent.click(screen.getByRole('button', { name: 'Compare' }))
  expect(router.state.location.search).toEqual({ open: 2, against: 'draft' })
  expect(await screen.findByText('From version 2 to the draft:')).toBeTruthy()
})

test('an address opens its version, however old; the first one shows its content', async () => {
  agentService({}, 101)
  renderPage('/agents/a1/versions?open=1')
  expect((await within(await content(1)).findByText('Instructions of version 1.')).tagName).toBe('DIV')
})

test('variables are part of a version', async () => {
  const order = { name: 'order_id', description: 'The order', required: true, defaultValue: null }
  const state = agentService({ variables: [order] }, 1)
  state.change({ variables: [{ ...order, required: false, defaultValue: null }] })
  renderPage('/agents/a1/versions?open=1')
  const list = within(await content(1)).findByRole('list', { name: 'Variables' })
  expect((await list).textContent).toBe('order_id: required. The order')
  await userEvent.click(screen.getByRole('radio', { name: 'With the draft' }))
  const changes = within(await screen.findByRole('list', { name: 'Changes to the variables' }))
  expect(changes.getByText('Added:', { exact: false }).parentElement?.textContent).toBe(
    'Added: order_id: optional, empty by default. The order',
  )
})

test('actions are part of a version', async () => {
  const look = { name: 'order_status', description: 'Looks it up', parameters: '{"type": "object"}' }
  const state = agentService({ actions: [look] }, 1)
  state.change({ actions: [{ ...look, description: 'Looks up an order' }] })
  state.publish()
  renderPage('/agents/a1/versions?open=1')
  expect(await (await item(2)).findByText('Action order_status changed')).toBeTruthy()
  expect(await within(await content(1)).findByText(/^order_status: Looks it up\s\{"type": "object"\}$/)).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: 'With the draft' }))
  const changes = await screen.findByRole('list', { name: 'Changes to the actions' })
  expect(changes.textContent).toContain('Added: order_status: Looks up an order')
})

test('older versions come at a click', async () => {
  agentService({}, 24)
  renderPage('/agents/a1/versions')
  expect(await items()).toHaveLength(20)
  expect(await (await item(5)).findByText('Instructions +1 −1')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(async () => expect(await items()).toHaveLength(24))
  expect(await (await item(1)).findByText('First version')).toBeTruthy()
  expect(await (await item(4)).findByText('Instructions +1 −1')).toBeTruthy()
})

test('restoring into an unchanged draft needs no question, and says when callers get it', async () => {
  const state = agentService({}, 2)
  renderPage('/agents/a1/versions')
  await userEvent.click((await item(2)).getByRole('button', { name: 'Actions for version 2' }))
  await screen.findByRole('menuitem', { name: 'Try' })
  expect(screen.queryByRole('menuitem', { name: 'Restore to draft' })).toBeNull()
  await userEvent.keyboard('{Escape}')
  await act(1, 'Restore to draft')
  expect(await screen.findByText('Version 1 is in the draft. Publish to make it live.')).toBeTruthy()
  expect(state.calls).toEqual(['restore 1'])
  expect(state.versions).toHaveLength(2)
})

test('restoring over unpublished changes shows them first, also those of another window', async () => {
  const state = agentService({}, 2)
  renderPage('/agents/a1/versions')
  await item(1)
  state.change({ instructions: 'Not published.' })
  await act(1, 'Restore to draft')
  const asked = within(await screen.findByRole('dialog', { name: 'Restore version 1 to the draft?' }))
  await asked.findByText(/Nothing goes live until you publish\. You’ll lose these unpublished changes:$/)
  await waitFor(() => expect(asked.getByRole('list').textContent).toContain('Not published.'))
  expect(state.calls).toEqual([])
  await userEvent.click(asked.getByRole('button', { name: 'Restore to draft' }))
  await waitFor(() => expect(state.agent.instructions).toBe('Instructions of version 1.'))
})

test('each version has the success of its messages of seven days', async () => {
  const usage = [
    { version: 2, messages: 19, failed: 1 },
    { version: null, messages: 3, failed: 0 },
  ]
  const asked: unknown[] = []
  agentService({}, 2, {
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: 9,
      creditsHeld: 0,
      creditsAvailable: 9,
      usage: ({ filter, groupBy }: { filter: { agentId: string }; groupBy: string[] }) => {
        asked.push(filter.agentId, groupBy)
        return usage
      },
    },
  })
  renderPage('/agents/a1/versions')
  expect(await (await item(2)).findByText(/^95(\.0)?%$/)).toBeTruthy()
  expect((await item(1)).queryByText(/%/)).toBeNull()
  expect(asked).toEqual(['a1', ['VERSION']])
})

test('each version shows its share of good ratings', async () => {
  const state = agentService({}, 2)
  Object.assign(state.versions[0] ?? {}, { ratings: { up: 2, down: 2 } })
  renderPage('/agents/a1/versions')
  expect(await (await item(2)).findByText(/^50(\.0)?% good of 4$/)).toBeTruthy()
  expect((await item(1)).getByText('–')).toBeTruthy()
})

test('ticked exports are pinned to a version, and one that is unticked follows the published one', async () => {
  const row = (id: string, name: string, version: number | null) => ({ id, name, version, state: 'ACTIVE' })
  const exports = [row('e1', 'Till', 1), row('e2', 'Kiosk', null), row('e3', 'Web shop', null)]
  const sent: unknown[] = []
  agentService({ exports }, 2, {
    updateApiExport: ({ input }: { input: { id: string } }) => {
      sent.push(input)
      return { export: Object.assign(exports.find(({ id }) => id === input.id) ?? {}, input) }
    },
  })
  renderPage('/agents/a1/versions')
  const open = async () => {
    await act(1, 'Pin exports to this version')
    await screen.findByLabelText('Till')
    return within(screen.getByRole('dialog', { name: 'Pin API exports to version 1' }))
  }
  const dialog = await open()
  expect(dialog.getByLabelText('Till')).toHaveProperty('checked', true)
  await userEvent.click(dialog.getByLabelText('Till'))
  expect(dialog.getByRole('button', { name: 'Follow published version' })).toBeTruthy()
  await userEvent.click(dialog.getByLabelText('Kiosk'))
  await userEvent.click(dialog.getByRole('button', { name: 'Pin 1 export' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual([
    { id: 'e1', version: null },
    { id: 'e2', version: 1 },
  ])
  expect((await open()).getByLabelText('Kiosk')).toHaveProperty('checked', true)
})

test('an agent that was never published has no versions, and says how it gets one', async () => {
  agentService()
  renderPage('/agents/a1/versions')
  expect(await screen.findByRole('heading', { name: 'No versions yet' })).toBeTruthy()
  const tabs = within(screen.getByRole('navigation', { name: 'Pages of this agent' }))
  expect(tabs.getByRole('link', { name: 'Versions' }).getAttribute('aria-current')).toBe('page')
})
