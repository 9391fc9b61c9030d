import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { session } from '@/shared/gql'
import { refusal } from '@/shared/testing/server'
import { models, agentService as service } from '@/testing/agentService'
import { exportRow } from '@/testing/exportService'
import { fromMenu } from '@/testing/fromMenu'
import { knowledgeService, source } from '@/testing/knowledgeService'
import { renderPage } from '@/testing/renderPage'

afterEach(() => {
  cleanup() // first: a page that is still there would ask for a new sign-in
  localStorage.clear()
  session.signedOut()
})

const instructions = () => screen.findByLabelText('Instructions')
const button = (name: string | RegExp) => screen.findByRole('button', { name })

const flow = async () => within(await screen.findByRole('list', { name: 'Message path' }))

test('the nodes of the flow lead by keyboard to their fields or to the Channels tab, and the address says which', async () => {
  service()
  const { router } = renderPage('/agents/a1')
  const node = (await flow()).getByRole('link', { name: /^Model/ })
  node.focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.search).toEqual({ node: 'model' }))
  const fold = () => document.querySelector<HTMLDetailsElement>('#build-model')
  await waitFor(() => expect(fold()?.open).toBe(true))
  expect(document.activeElement).toBe(fold()?.querySelector('summary'))
  await screen.findByRole('radio', { name: /Fast/ })
  await userEvent.click((await flow()).getByRole('link', { name: /^Agent/ }))
  await waitFor(async () => expect(document.activeElement).toBe(await instructions()))
  const channels = (await flow()).getByRole('link', { name: /^Channels/ })
  expect(channels.textContent).toContain('No API exports yet')
  await userEvent.click(channels)
  await waitFor(() => expect(router.state.location.href).toBe('/agents/a1/channels'))
  await router.navigate({ to: '/agents/$id', params: { id: 'a1' }, search: { node: 'channels' } })
  await waitFor(() => expect(router.state.location.href).toBe('/agents/a1/channels'))
})

test.each(['', '/channels', '/activity/conversations', '/tests', '/versions'])(
  'an agent that does not exist has no tabs at %s, but a way back to the list',
  async (path) => {
    const state = service()
    state.read = async () => {
      throw refusal('NOT_FOUND', 'There is no such agent.')
    }
    renderPage(`/agents/a1${path}`)
    expect(await screen.findByRole('heading', { name: 'Agent not found' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'All agents' }).getAttribute('href')).toBe('/agents')
    expect(screen.queryByRole('navigation')).toBeNull()
  },
)

test('a draft names what it lacks and cannot be published; a whole one can', async () => {
  const state = service({ instructions: '', model: null, missing: ['INSTRUCTIONS', 'MODEL'] })
  const { queryClient } = renderPage('/agents/a1')
  const link = await screen.findByRole('link', { name: 'Write instructions' })
  expect(link.getAttribute('href')).toBe('/agents/a1?node=agent')
  expect(screen.getByRole('link', { name: 'Choose an available model' })).toBeTruthy()
  expect(((await button('Publish')) as HTMLButtonElement).disabled).toBe(true)
  state.change({ instructions: 'x', model: models[1], missing: [] })
  await queryClient.invalidateQueries({ queryKey: ['agent'] })
  await waitFor(async () => expect(((await button('Publish')) as HTMLButtonElement).disabled).toBe(false))
  await userEvent.click(await button('Publish'))
  await userEvent.click(await button('Publish version 1'))
  expect(await screen.findByText('Live, version 1')).toBeTruthy()
})

test('each part says in its line what is set and what callers do not have yet; the browser remembers which are open', async () => {
  const state = service({ temperature: 0.3, variables: [] }, 1)
  state.change({ instructions: 'Be brief.\nAnswer as [your company].' })
  renderPage('/agents/a1')
  await instructions()
  const line = (id: string) => document.querySelector(`#build-${id} > summary`)?.textContent
  await waitFor(() =>
    expect(line('instructions')).toBe('Instructions Be brief. Unfilled placeholder on line 2 Changed'),
  )
  expect(line('model')).toBe('Model Fast · 2 credits per message  ')
  expect(screen.getByText('temperature 0.3 · 40 turns of history')).toBeTruthy()
  await userEvent.click(screen.getByRole('heading', { name: 'Model' }))
  await waitFor(() => expect(localStorage.getItem('build sections')).toBe('["instructions","model"]'))
  cleanup()
  renderPage('/agents/a1')
  await instructions()
  const open = [...document.querySelectorAll('details[open][id^="build-"]')].map(({ id }) => id)
  expect(open).toEqual(['build-instructions', 'build-model'])
})

test('duplicating saves what was typed first, and opens the copy', async () => {
  const state = service()
  const { router } = renderPage('/agents/a1')
  fireEvent.change(await instructions(), { target: { value: 'Be kinder.' } })
  await fromMenu('Duplicate agent')
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents/a2'))
  expect(state.updates.map(({ instructions }) => instructions)).toEqual(['Be kinder.'])
  expect(state.duplicated).toEqual([{ id: 'a1', name: 'Copy of Shop' }])
})

test('the flow names knowledge and actions where the draft has some, and each leads to its part', async () => {
  const { state, fields } = knowledgeService([source('s1', 'Terms')], 'WHOLE')
  const actions = [{ name: 'order_status', description: 'Looks it up', parameters: '{"type": "object"}' }]
  const agent = service({ ...fields, actions })
  const { router, queryClient } = renderPage('/agents/a1')
  const path = await flow()
  const titles = () => path.getAllByRole('link').map(({ textContent }) => textContent?.split(' ')[0])
  await waitFor(() => expect(titles()).toEqual(['Channels', 'Agent', 'Model', 'Knowledge', 'Actions']))
  expect(path.getByRole('link', { name: /^Knowledge/ }).textContent).toBe('Knowledge Sent in full')
  expect(path.getByRole('link', { name: /^Actions/ }).textContent).toBe('Actions 1 action')
  for (const name of ['knowledge', 'actions']) {
    await userEvent.click(path.getByRole('link', { name: new RegExp(`^${name}`, 'i') }))
    await waitFor(() => expect(router.state.location.search).toEqual({ node: name }))
    const fold = document.querySelector<HTMLDetailsElement>(`#build-${name}`)
    await waitFor(() => expect(fold?.open).toBe(true))
    expect(document.activeElement).toBe(fold?.querySelector('summary'))
  }
  state.sources = []
  agent.change({ actions: [] })
  await queryClient.invalidateQueries()
  await waitFor(() => expect(titles()).toEqual(['Channels', 'Agent', 'Model']))
})

test('deleting names the agent, and Cancel has the focus', async () => {
  const state = service()
  const { router } = renderPage('/agents/a1')
  await fromMenu('Delete agent')
  const dialog = await screen.findByRole('dialog', { name: 'Delete agent “Shop”?' })
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Cancel' })))
  expect(state.deleted).toEqual([])
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete agent' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents'))
  expect(state.deleted).toEqual(['a1'])
})

test('on a wide screen the head says how much the agent was used in 24 hours', async () => {
  const media = window.matchMedia
  onTestFinished(() => {
    window.matchMedia = media
  })
  window.matchMedia = (query) => ({ ...media(query), matches: query === '(min-width: 75em)' })
  service({ state: 'LIVE' }, 1, {
    viewer: { id: '1', usage: [{ agent: { id: 'a1' }, messages: 460, failed: 7, credits: 460 }] },
  })
  renderPage('/agents/a1')
  const use = await screen.findByRole('link', { name: '467 messages, 98.5% answered in 24 hours' })
  expect(use.getAttribute('href')).toBe('/agents/a1/activity/conversations')
})

test('pausing all exports lists the active ones, and pauses each of them', async () => {
  const paused: unknown[] = []
  const row = (id: string, state: string) => ({ ...exportRow(id, `Export ${id}`), state })
  service({ state: 'LIVE', exports: [row('e1', 'ACTIVE'), row('e2', 'PAUSED'), row('e3', 'ACTIVE')] }, 1, {
    pauseApiExport: ({ input }: { input: { id: string } }) => {
      paused.push(input.id)
      return { export: row(input.id, 'PAUSED') }
    },
  })
  renderPage('/agents/a1')
  await fromMenu('Pause all exports')
  await screen.findByRole('button', { name: 'Pause 2 exports' }) // until then, another dialog waits for the exports
  const dialog = within(await screen.findByRole('dialog', { name: 'Pause all exports' }))
  expect((await dialog.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
    'Export e1',
    'Export e3',
  ])
  expect(dialog.getByText(/^Pauses the exports listed here\./)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Pause 2 exports' }))
  expect(await screen.findByText(/^2 paused/)).toBeTruthy()
  expect(paused.sort()).toEqual(['e1', 'e3'])
})
