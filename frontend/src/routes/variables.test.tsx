import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { refusal } from '@/shared/testing/server'
import { agentService as service } from '@/testing/agentService'
import { renderPage } from '@/testing/renderPage'

afterEach(() => {
  cleanup() // first: a page that is still there would ask for a new sign-in
  session.signedOut()
})

const editor = async () => within(await screen.findByRole('region', { name: 'Variables' }))
const row = (name: string) => within(screen.getByRole('group', { name: `Variable ${name}` }))
const save = async () => userEvent.keyboard('{Control>}s{/Control}')
const focused = () => document.activeElement

const orderId = { name: 'order_id', description: 'The order', required: true, defaultValue: null }
const tone = { name: 'tone', description: '', required: false, defaultValue: 'friendly' }

test('variables are added and saved in their order, a required one without a default value', async () => {
  const state = service()
  renderPage('/agents/a1?node=agent')
  const shown = await editor()
  await userEvent.click(shown.getByRole('button', { name: 'Add variable' }))
  expect(focused()).toBe(row('1').getByLabelText('Variable name'))
  await userEvent.keyboard('order_id')
  await userEvent.type(row('order_id').getByLabelText('Description'), 'The order')
  await userEvent.type(row('order_id').getByLabelText('Default value'), 'none')
  await userEvent.click(row('order_id').getByLabelText('Required'))
  expect(row('order_id').getByLabelText('Default value')).toMatchObject({ disabled: true, value: '' })
  await userEvent.click(shown.getByRole('button', { name: 'Add variable' }))
  await userEvent.keyboard('tone')
  await userEvent.type(row('tone').getByLabelText('Default value'), 'friendly')
  await save()
  await waitFor(() => expect(state.updates).toHaveLength(1))
  expect(state.updates[0]).toMatchObject({ id: 'a1', variables: [orderId, tone] })
  expect(state.updates[0]).not.toHaveProperty('instructions')
  await waitFor(() => expect(screen.getByTestId('save-state').textContent).toBe('Saved'))
})

test('removing one keeps the others, and the focus', async () => {
  const state = service({ variables: [orderId, tone, { ...tone, name: 'shop' }] })
  renderPage('/agents/a1?node=agent')
  await editor()
  await userEvent.click(row('order_id').getByRole('button', { name: 'Remove variable order_id' }))
  expect(focused()).toBe(row('tone').getByRole('button', { name: 'Remove variable tone' }))
  await userEvent.click(row('shop').getByRole('button', { name: 'Remove variable shop' }))
  expect(focused()).toBe(screen.getByRole('button', { name: 'Add variable' }))
  await save()
  await waitFor(() => expect(state.agent.variables).toEqual([tone]))
})

test('a name that is wrong, missing or there twice is reported at its field, and nothing is sent', async () => {
  const state = service({ variables: [orderId, tone] })
  renderPage('/agents/a1?node=agent')
  await editor()
  const name = row('tone').getByLabelText('Variable name')
  const errorFor = async (text: string) => {
    await userEvent.clear(name)
    if (text) await userEvent.type(name, text)
    await save()
    await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'))
    return document.getElementById(name.getAttribute('aria-describedby') ?? '')?.textContent
  }
  expect(await errorFor('')).toBe('This field is required.')
  expect(await errorFor('2nd')).toMatch(/^Start with a letter or an underscore/)
  expect(await errorFor('order_id')).toBe('Another variable already uses this name.')
  expect(focused()).toBe(name)
  expect(state.updates).toEqual([])
})

test('texts that are too long are reported, a hidden default value is not', async () => {
  const state = service({ variables: [tone] })
  renderPage('/agents/a1?node=agent')
  await editor()
  await userEvent.click(row('tone').getByLabelText('Description'))
  await userEvent.paste('x'.repeat(501))
  await userEvent.click(row('tone').getByLabelText('Default value'))
  await userEvent.paste('y'.repeat(4_000))
  await save()
  expect(await screen.findAllByText('Use at most 500 characters.')).toHaveLength(2) // in the part's line, too
  expect(screen.getByText('Use at most 4,000 characters.')).toBeTruthy()
  expect(state.updates).toEqual([])
  await userEvent.clear(row('tone').getByLabelText('Description'))
  await userEvent.click(row('tone').getByLabelText('Required'))
  await save()
  await waitFor(() => expect(state.agent.variables).toEqual([{ ...tone, required: true, defaultValue: null }]))
})

test('what the service refuses is shown at its field, or under the list', async () => {
  const state = service({ variables: [orderId, tone] })
  const refuse = (path: string, message: string) => {
    state.refuse = () => {
      throw refusal('BAD_USER_INPUT', 'No.', { fields: [{ path, reason: 'invalid', message }] })
    }
  }
  renderPage('/agents/a1?node=agent')
  const shown = await editor()
  const field = row('tone').getByLabelText('Default value')
  await userEvent.type(field, '!')
  refuse('variables.1.defaultValue', 'Not this value.')
  await save()
  const message = await shown.findByText('Not this value.')
  expect(field.getAttribute('aria-describedby')).toContain(message.id)
  expect(focused()).toBe(field)
  refuse('variables', 'Too many.')
  await save()
  expect((await shown.findByRole('alert')).textContent).toBe('Too many.')
  expect(screen.queryByText('Not this value.')).toBeNull()
})

test('names that the instructions use can be declared in one step; unused ones are named', async () => {
  const state = service({ instructions: 'Be {{tone}}.', variables: [{ ...orderId, name: 'spare' }] })
  renderPage('/agents/a1?node=agent')
  const shown = await editor()
  expect(shown.getByText('Declared but not used: spare')).toBeTruthy()
  const part = within(document.querySelector('#build-instructions') as HTMLElement)
  const hints = within(part.getByRole('status'))
  expect(screen.getAllByText(/tone.* isn’t declared/)).toHaveLength(1)
  await userEvent.click(screen.getByLabelText('Instructions'))
  await userEvent.paste(' {{order_id}} {{ spaced }} {{spare}} {{tone}}')
  expect(hints.getByText('{{order_id}} isn’t declared')).toBeTruthy()
  expect(hints.queryByText(/spaced|spare/)).toBeNull()
  await userEvent.click(hints.getByRole('button', { name: 'Declare order_id' }))
  expect(hints.queryByText(/order_id/)).toBeNull()
  expect(focused()).toBe(screen.getByLabelText('Instructions'))
  await save()
  await waitFor(() => expect(state.agent.variables).toMatchObject([{ name: 'spare' }, { name: 'order_id' }]))
})

test('variables changed elsewhere are put together with mine; one that both changed is shown and not overwritten', async () => {
  const state = service({ variables: [orderId] })
  renderPage('/agents/a1?node=agent')
  await editor()
  const meaning = () => row('order_id').getByLabelText('Description')
  await userEvent.type(meaning(), ' of the caller')
  state.change({ variables: [orderId, tone] })
  await save()
  await waitFor(() =>
    expect(state.agent.variables).toEqual([{ ...orderId, description: 'The order of the caller' }, tone]),
  )
  await userEvent.type(meaning(), '!')
  state.change({ variables: [{ ...orderId, description: 'Theirs' }, tone] })
  await save()
  const dialog = within(await screen.findByRole('dialog', { name: /was changed elsewhere/ }))
  const theirs = dialog.getByRole('list', { name: 'Variables, order_id' })
  expect(theirs.textContent).toContain('order_id: required. Theirs')
  expect(theirs.textContent).toContain('order_id: required. The order of the caller!')
  expect(state.agent.variables).toEqual([{ ...orderId, description: 'Theirs' }, tone])
  await userEvent.click(dialog.getByRole('button', { name: 'Use all of theirs' }))
  await waitFor(() => expect(meaning()).toHaveProperty('value', 'Theirs'))
  expect(state.agent.variables).toEqual([{ ...orderId, description: 'Theirs' }, tone])
})
