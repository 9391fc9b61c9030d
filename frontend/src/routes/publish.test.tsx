import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { refusal } from '@/shared/testing/server'
import { agentService, models } from '@/testing/agentService'
import { fromMenu } from '@/testing/fromMenu'
import { source } from '@/testing/knowledgeService'
import { renderAgent } from '@/testing/renderAgent'
import { write } from '@/testing/write'

afterEach(() => {
  cleanup() // first: a page that is still there would ask for a new sign-in
  session.signedOut()
})

const button = (name: string | RegExp) => screen.findByRole('button', { name })
const dialog = (name: string) => screen.findByRole('dialog', { name })

/** Opens the publish dialog of the agent's page. */
async function publishing() {
  await userEvent.click(await button('Publish'))
  const shown = within(await dialog('Publish “Shop”'))
  await shown.findByLabelText('Note (optional)')
  return shown
}

/** The lines of the open diff, with what is read out before them. */
const lines = () =>
  within(screen.getByRole('list', { name: 'Changes to the instructions' }))
    .getAllByRole('listitem')
    .map((line) => line.lastElementChild?.textContent)

test('publishing shows what changes, who gets it and who does not, and takes a note', async () => {
  const state = agentService({ instructions: 'Be kind.\nWait 30 days.' }, 2)
  state.change({
    instructions: 'Be kind.\nWait 60 days.',
    temperature: 0.5,
    exports: [
      { id: 'e1', name: 'Webshop', version: null },
      { id: 'e2', name: 'Till', version: null },
      { id: 'e3', name: 'Staging', version: 1 },
    ],
  })
  renderAgent('/agents/a1')
  await userEvent.click(await button('Unpublished changes'))
  await userEvent.click(within(await dialog('Publish “Shop”')).getByRole('button', { name: 'Close' }))
  const shown = await publishing()
  expect(lines()).toEqual(['Be kind.', 'Removed: Wait 30 days.', 'Added: Wait 60 days.'])
  expect(shown.getByText('0.5').closest('dd')?.textContent).toBe('from Model’s default → to 0.5')
  expect(shown.getByText('2 API exports switch with their next message.')).toBeTruthy()
  expect(shown.getByText('1 pinned API export keeps its version:')).toBeTruthy()
  expect(shown.getByText('Staging: version 1')).toBeTruthy()
  const expected = state.agent.updatedAt
  await write(shown.getByLabelText('Note (optional)'), 'More time')
  await userEvent.click(shown.getByRole('button', { name: 'Publish version 3' }))
  expect(await screen.findByText('Version 3 is live')).toBeTruthy()
  expect(state.published).toEqual([{ id: 'a1', note: 'More time', expectedUpdatedAt: expected }])
  expect(await screen.findByText('Live, version 3')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull()
  expect(document.activeElement?.textContent).toContain('Live, version 3')
})

test('publishing names the files that have not been read, before and after', async () => {
  const state = agentService({ instructions: 'Wait 30 days.' }, 2)
  const unread = (id: string, name: string, now: string) => source(id, name, { kind: 'FILE', state: now })
  const nodes = [unread('s2', 'scan.pdf', 'FAILED'), unread('s1', 'prices.pdf', 'READING'), source('s0', 'Terms')]
  state.change({ instructions: 'Wait 60 days.', knowledge: { nodes, edges: [], pageInfo: {} } })
  renderAgent('/agents/a1')
  const shown = await publishing()
  const left = within(
    shown.getByText('2 files are left out because they haven’t been processed').closest('[role=status]') as HTMLElement,
  )
  expect(left.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'scan.pdf: Failed',
    'prices.pdf: Processing',
  ])
  await userEvent.click(shown.getByRole('button', { name: 'Publish version 3 anyway' }))
  expect(
    await screen.findByText('Version 3 is live without 2 files that haven’t been processed: “scan.pdf”, “prices.pdf”'),
  ).toBeTruthy()
})

test('publishing can be undone: callers get the version before again, and the change is in the draft', async () => {
  const state = agentService({ instructions: 'Wait 30 days.' }, 2)
  state.change({ instructions: 'Wait 60 days.' })
  renderAgent('/agents/a1')
  const shown = await publishing()
  await userEvent.click(shown.getByRole('button', { name: 'Publish version 3' }))
  await userEvent.click(await button('Undo'))
  const asked = within(await dialog('Undo version 3?'))
  expect(asked.getByText('Version 2 goes live again, as version 4. Your changes stay in the draft.')).toBeTruthy()
  await userEvent.click(asked.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Version 2 is live again, as version 4')).toBeTruthy()
  expect(state.calls).toEqual(['restore 2', 'restore 3'])
  expect(state.versions[0]).toMatchObject({ number: 4, instructions: 'Wait 30 days.', note: 'Reverts version 3' })
  expect(state.agent.instructions).toBe('Wait 60 days.')
  expect(await screen.findByText('Version 4 stays live until you publish.')).toBeTruthy()
})

test('undoing shows what was changed since and would be lost', async () => {
  const state = agentService({ instructions: 'Wait 30 days.' }, 1)
  state.change({ instructions: 'Wait 60 days.' })
  renderAgent('/agents/a1')
  const shown = await publishing()
  await userEvent.click(shown.getByRole('button', { name: 'Publish version 2' }))
  const undo = await button('Undo')
  state.change({ instructions: 'Wait 90 days.' })
  await userEvent.click(undo)
  const asked = within(await dialog('Undo version 2?'))
  await asked.findByText(/The draft goes back to version 2, and you’ll lose these changes/)
  await waitFor(() => expect(lines()).toEqual(['Removed: Wait 60 days.', 'Added: Wait 90 days.']))
  await userEvent.click(asked.getByRole('button', { name: 'Cancel' }))
  expect(state.calls).toEqual([])
})

test('there is nothing to undo once another version is live', async () => {
  const state = agentService({ instructions: 'Wait 30 days.' }, 1)
  state.change({ instructions: 'Wait 60 days.' })
  renderAgent('/agents/a1')
  const shown = await publishing()
  await userEvent.click(shown.getByRole('button', { name: 'Publish version 2' }))
  const undo = await button('Undo')
  state.change({ instructions: 'Wait 90 days.' })
  state.publish()
  await userEvent.click(undo)
  expect(await screen.findByText('Version 2 is no longer live, so there’s nothing to undo')).toBeTruthy()
  expect(state.calls).toEqual([])
})

test('the first publishing has nothing to compare with, and says what it means', async () => {
  const state = agentService()
  renderAgent('/agents/a1')
  expect((await screen.findAllByText('Draft'))[0]).toBeTruthy()
  const shown = await publishing()
  expect(shown.getByText(/^Version 1 goes live now/)).toBeTruthy()
  expect(shown.getByText('No API exports yet.')).toBeTruthy()
  expect(shown.queryByRole('list', { name: 'Changes to the instructions' })).toBeNull()
  await userEvent.click(shown.getByRole('button', { name: 'Publish version 1' }))
  await waitFor(() => expect(state.versions).toHaveLength(1))
  await screen.findByText('Version 1 is live')
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('the first publishing leads to an API export, until there is one', async () => {
  const state = agentService()
  renderAgent('/agents/a1')
  const shown = await publishing()
  expect(screen.queryByText('Next: create an API export')).toBeNull()
  await userEvent.click(shown.getByRole('button', { name: 'Publish version 1' }))
  const next = within(await screen.findByRole('region', { name: 'Next: create an API export' }))
  expect(next.getByRole('link', { name: 'Create API Export' }).getAttribute('href')).toBe('/agents/a1/channels')
  cleanup()
  state.change({ exports: [{ id: 'e1', name: 'Webshop', version: null }] })
  renderAgent('/agents/a1')
  expect(await screen.findByText('Live, version 1')).toBeTruthy()
  expect(screen.queryByText('Next: create an API export')).toBeNull()
})

test('publishing with the sandbox says so once', async () => {
  const [sandbox, fast] = models
  const state = agentService({ model: fast }, 1)
  state.change({ model: sandbox })
  renderAgent('/agents/a1')
  const first = await publishing()
  expect(first.getByText(/“Assistant” makes up its replies, for testing/)).toBeTruthy()
  await userEvent.click(first.getByRole('button', { name: 'Publish version 2' }))
  await waitFor(() => expect(state.versions).toHaveLength(2))
  cleanup()
  state.change({ instructions: 'Be brief.' })
  renderAgent('/agents/a1')
  expect((await publishing()).queryByText(/makes up its replies/)).toBeNull()
})

test('a fallback model is a change, with its price if that is another one', async () => {
  const [sandbox, fast] = models
  const state = agentService({ model: sandbox }, 1)
  state.change({ fallbackModel: fast })
  renderAgent('/agents/a1')
  const same = await publishing()
  expect(same.getByText('Fallback model').nextElementSibling?.textContent).toBe('from none → to Fast')
  expect(same.queryByText(/if the fallback model/)).toBeNull()
  cleanup()
  state.change({ fallbackModel: { ...fast, creditsPerMessage: 5 } })
  renderAgent('/agents/a1')
  const dearer = await publishing()
  expect(
    within(dearer.getByRole('region', { name: 'Price' })).getByText(/^5 credits if .* “Fast” answers/),
  ).toBeTruthy()
})

test('placeholders are pointed out, and keep nobody from publishing', async () => {
  const state = agentService({ instructions: 'Help.\n(Describe it here…)\nWe are [your company].' })
  renderAgent('/agents/a1')
  const shown = await publishing()
  const warning = within(await shown.findByRole('status'))
  expect(warning.getByText('The instructions still contain 2 unfilled placeholders')).toBeTruthy()
  expect(warning.getByText('Line 2: (Describe it here…)')).toBeTruthy()
  expect(warning.getByText('Line 3: [your company]')).toBeTruthy()
  const anyway = shown.getByRole('button', { name: 'Publish version 1 anyway' })
  expect(anyway.dataset.variant).toBe('default')
  await waitFor(() => expect(document.activeElement).toBe(shown.getByRole('button', { name: 'Cancel' })))
  await userEvent.click(anyway)
  await waitFor(() => expect(state.versions).toHaveLength(1))
})

test('variables are compared line by line; what callers must send from now on is said plainly', async () => {
  const tone = { name: 'tone', description: 'How to\nspeak', required: false, defaultValue: 'friendly' }
  const region = { name: 'region', description: '', required: true, defaultValue: null }
  const state = agentService({ variables: [tone, region] }, 1)
  const orderId = { name: 'order_id', description: 'The order', required: true, defaultValue: null }
  state.change({ variables: [orderId, { ...tone, required: true, defaultValue: null }, region] })
  renderAgent('/agents/a1')
  const shown = await publishing()
  const changes = within(shown.getByRole('list', { name: 'Changes to the variables' }))
  expect(changes.getAllByRole('listitem').map((line) => line.lastElementChild?.textContent)).toEqual([
    'Removed: tone: optional, “friendly” by default. How to ↵ speak',
    'Added: order_id: required. The order',
    'Added: tone: required. How to ↵ speak',
    'region: required.',
  ])
  expect(shown.getByText('Variables: 2 lines added, 1 removed')).toBeTruthy()
  expect(shown.queryByRole('list', { name: 'Changes to the instructions' })).toBeNull()
  expect(shown.getByText('Requests without order_id will be rejected.')).toBeTruthy()
  expect(shown.getByText('Requests without tone will be rejected.')).toBeTruthy()
  expect(shown.queryByText(/without region/)).toBeNull()
  expect(shown.queryByText(/^Requests with /)).toBeNull()
  await userEvent.click(shown.getByRole('button', { name: 'Publish version 2 anyway' }))
  await waitFor(() => expect(state.versions).toHaveLength(2))
})

test('a variable that is no longer declared is named: requests that still send it are refused', async () => {
  const tone = { name: 'tone', description: '', required: false, defaultValue: 'friendly' }
  const region = { name: 'region', description: '', required: true, defaultValue: null }
  const state = agentService({ variables: [tone, region] }, 1)
  state.change({ variables: [{ ...region, required: false }] })
  renderAgent('/agents/a1')
  const shown = await publishing()
  expect(shown.getByText('Requests with tone will be rejected.')).toBeTruthy()
  expect(shown.queryByText(/^Requests with(out)? region/)).toBeNull()
})

test('a name without a variable is a warning, a declared one is none', async () => {
  const order = { name: 'order_id', description: '', required: false, defaultValue: null }
  agentService({ instructions: 'Order {{order_id}} in {{language}}.', variables: [order] })
  renderAgent('/agents/a1')
  const shown = await publishing()
  expect((await shown.findByRole('status')).textContent).toBe('{{language}} isn’t declared')
})

test('a change of another window is shown instead of published, and the note stays', async () => {
  const state = agentService({}, 1)
  state.change({ instructions: 'Mine.' })
  renderAgent('/agents/a1')
  const shown = await publishing()
  await write(shown.getByLabelText('Note (optional)'), 'My note')
  state.change({ instructions: 'Theirs.' })
  await userEvent.click(shown.getByRole('button', { name: 'Publish version 2' }))
  const alert = await shown.findByRole('alert')
  expect(alert.textContent).toContain('The agent was changed or published elsewhere')
  expect(alert.textContent).toContain('Nothing was published.')
  expect(lines()).toEqual(['Removed: Be kind.', 'Added: Theirs.'])
  expect(shown.getByLabelText('Note (optional)')).toHaveProperty('value', 'My note')
  expect(state.versions).toHaveLength(1)
  await userEvent.click(shown.getByRole('button', { name: 'Publish version 2' }))
  await waitFor(() => expect(state.versions[0]).toMatchObject({ note: 'My note', instructions: 'Theirs.' }))
})

test('tests that have become required are shown, even if the agent is then changed elsewhere', async () => {
  const off = { tests: { gate: 'OFF', standing: 'UNTESTED' }, testRuns: { nodes: [] } }
  const message = 'The draft has not passed its tests. Run all of them.'
  const state = agentService(off, 1, {
    publishAgent: () => {
      state.change({ tests: { gate: 'REQUIRE', standing: 'UNTESTED' } })
      throw refusal('CONFLICT', message, { reason: 'tests_required' })
    },
  })
  state.change({ instructions: 'Mine.' })
  renderAgent('/agents/a1')
  const shown = await publishing()
  await userEvent.click(shown.getByRole('button', { name: 'Publish version 2' }))
  expect(await shown.findByText('This draft hasn’t been tested')).toBeTruthy()
  expect(shown.getByText(message)).toBeTruthy()
  expect(shown.queryByText('The agent was changed or published elsewhere')).toBeNull()
})

test('what another window has published is not published again', async () => {
  const state = agentService({}, 1)
  state.change({ instructions: 'Ours.' })
  renderAgent('/agents/a1')
  const shown = await publishing()
  await write(shown.getByLabelText('Note (optional)'), 'My note')
  state.publish()
  await userEvent.click(shown.getByRole('button', { name: 'Publish version 2' }))
  expect((await shown.findByRole('alert')).textContent).toContain(
    'Version 2 is live, and there’s nothing left to publish',
  )
  expect(shown.queryByRole('button', { name: /^Publish/ })).toBeNull()
  expect(shown.getByLabelText('Note (optional)')).toHaveProperty('value', 'My note')
})

test('a note that is too long is reported before it is sent', async () => {
  const state = agentService()
  renderAgent('/agents/a1')
  const shown = await publishing()
  await userEvent.click(shown.getByLabelText('Note (optional)'))
  await userEvent.paste('x'.repeat(501))
  await userEvent.click(shown.getByRole('button', { name: 'Publish version 1' }))
  expect(shown.getByText('Use at most 500 characters.')).toBeTruthy()
  expect(state.published).toEqual([])
})

test('a live agent that lacks something says what, and cannot be published', async () => {
  const state = agentService({}, 1)
  state.change({ instructions: '', missing: ['INSTRUCTIONS'] })
  renderAgent('/agents/a1')
  const publish = (await button('Publish')) as HTMLButtonElement
  expect(publish.disabled).toBe(true)
  const described = document.getElementById(publish.getAttribute('aria-describedby') ?? '')
  expect(described?.textContent).toContain('To publish, you still need to: Write instructions')
})

test('taking offline says that pinned exports stop too; the same version goes online again', async () => {
  const state = agentService({ exports: [{ id: 'e1', name: 'Webshop', version: 1 }] }, 1)
  renderAgent('/agents/a1')
  await fromMenu('Take offline')
  const asked = within(await dialog('Take “Shop” offline?'))
  expect(asked.getByText(/fail with agent_not_ready .*, even if the export is pinned to a version/)).toBeTruthy()
  await userEvent.click(asked.getByRole('button', { name: 'Take offline' }))
  expect(await screen.findByText('Offline')).toBeTruthy()
  await userEvent.click(await button('Bring online'))
  const shown = within(await dialog('Publish “Shop”'))
  expect(await shown.findByText('The draft is the same as version 1, which goes live again.')).toBeTruthy()
  expect(shown.queryByLabelText('Note (optional)')).toBeNull()
  await userEvent.click(shown.getByRole('button', { name: 'Bring online' }))
  expect(await screen.findByText('Live, version 1')).toBeTruthy()
  expect(state.calls).toEqual(['offline'])
})

test('discarding shows what is lost, and leads back to the published version', async () => {
  const state = agentService({}, 1)
  state.change({ instructions: 'Be rude.' })
  renderAgent('/agents/a1')
  await fromMenu('Discard changes')
  const asked = within(await dialog('Discard unpublished changes to “Shop”?'))
  await asked.findByText('The draft goes back to version 1. You’ll lose these changes:')
  await screen.findByRole('list', { name: 'Changes to the instructions' })
  expect(lines()).toEqual(['Removed: Be kind.', 'Added: Be rude.'])
  expect(state.calls).toEqual([])
  await userEvent.click(asked.getByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(state.agent.instructions).toBe('Be kind.'))
  await waitFor(() => expect(screen.queryByText('Unpublished changes')).toBeNull())
})
