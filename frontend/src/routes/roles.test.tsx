import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { agentService } from '@/testing/agentService'
import { exportRow, exportService } from '@/testing/exportService'
import { renderApp } from '@/testing/renderApp'
import { renderPage } from '@/testing/renderPage'

afterEach(() => {
  localStorage.clear()
  session.forget()
})

const as = (viewerRole: string) => ({
  viewer: { id: '1', name: 'Northwind', viewerRole, requireSecondFactor: false, usage: [] },
})

const inMenu = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
}

test('a viewer reads an agent: nothing there changes or tries it', async () => {
  agentService({ state: 'LIVE', instructions: '{{plan}} [your name]', missing: ['MODEL'] }, 1, as('VIEWER'))
  localStorage.setItem('build sections', '["instructions","variables"]')
  renderPage('/agents/a1')
  expect(await screen.findByText(/^View only\./)).toBeTruthy()
  expect([...document.querySelectorAll('details[open]')].map(({ id }) => id)).toEqual(['build-instructions'])
  expect(screen.queryByTestId('save-state')).toBeNull()
  expect(screen.queryByText(/isn’t declared|placeholder|you still need to/)).toBeNull()
  const instructions = await screen.findByRole('textbox', { name: /Instructions/ })
  expect(instructions.matches(':disabled')).toBe(true)
  expect(screen.queryByRole('textbox', { name: /Message/ })).toBeNull()
  expect(screen.queryByRole('region', { name: /Next/ })).toBeNull()
  expect(await inMenu()).toEqual(['Download agent file'])
})

test('an editor changes an agent', async () => {
  agentService({ state: 'LIVE' }, 1, as('EDITOR'))
  renderPage('/agents/a1')
  const instructions = await screen.findByRole('textbox', { name: /Instructions/ })
  expect(instructions.matches(':disabled')).toBe(false)
  expect(await screen.findByRole('textbox', { name: /Message/ })).toBeTruthy()
  expect(await inMenu()).toContain('Delete agent')
})

test('a viewer makes no agent, not by the address either, and no export changes', async () => {
  agentService({}, 0, as('VIEWER'))
  const list = renderPage('/agents?create=true')
  await screen.findByText('No agents yet')
  expect(screen.queryByRole('button', { name: 'New agent' })).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
  list.unmount()

  exportService([exportRow('e1', 'Website')], { role: 'VIEWER' })
  renderPage('/exports/e1')
  const keys = within(await screen.findByRole('region', { name: 'Keys' }))
  expect(keys.queryByRole('button')).toBeNull()
  expect(screen.queryByRole('button', { name: /Pause|Remove|Edit/ })).toBeNull()
})

test('what is of owners alone is not an editor’s', async () => {
  agentService({}, 0, as('EDITOR'))
  const { router } = renderApp('/settings/general')
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Account name' }).matches(':disabled')).toBe(true))
  expect(screen.queryByRole('link', { name: 'Data' })).toBeNull()
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.type(await screen.findByRole('combobox', { name: /^Search or jump to/ }), 'it')
  await screen.findByText('Security', { selector: '[role=option] *' })
  expect(document.body.textContent).not.toMatch(/Audit trail/)
  await userEvent.keyboard('{Escape}')
  await router.navigate({ to: '/settings/data' })
  expect(await screen.findByText('Only owners can do this.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Delete/ })).toBeNull()
})
