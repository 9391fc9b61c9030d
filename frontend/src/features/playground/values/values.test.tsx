import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { refusal } from '@/shared/testing/server'
import { version } from '@/shared/testing/versions'
import { write } from '@/testing/write'
import { composer, fromChatMenu, renderTry, send, service } from '../testing'

afterEach(() => session.signedOut())

const orderId = { name: 'order_id', description: 'The order', required: true, defaultValue: null }
const tone = { name: 'tone', description: '', required: false, defaultValue: 'friendly' }
const values = async () => within(await screen.findByRole('region', { name: 'Test values' }))
const toggle = () => screen.findByRole('button', { name: /^Test values/ })

async function say(text: string) {
  await send(text)
  await screen.findByText(text, { selector: 'strong' })
}

test('what was filled in goes with each message, and stays', async () => {
  const seen = service({ agent: { variables: [orderId, tone] } })
  renderTry()
  const shown = await values()
  expect(shown.getByLabelText(/^tone/)).toHaveProperty('placeholder', 'friendly')
  await write(shown.getByLabelText(/^order_id/), 'A-1')
  await say('one')
  // They are folded once they are set, and the button says how many.
  expect(screen.queryByRole('region', { name: 'Test values' })).toBeNull()
  expect((await toggle()).textContent).toBe('Test values (1)')
  await userEvent.click(await toggle())
  const again = await values()
  await userEvent.type(again.getByLabelText(/^order_id/), '2')
  await write(again.getByLabelText(/^tone/), 'stern')
  await say('two')
  await fromChatMenu('New chat')
  await say('three')
  const both = [
    { name: 'order_id', value: 'A-12' },
    { name: 'tone', value: 'stern' },
  ]
  expect(seen.sent.map(({ variables }) => variables)).toEqual([[{ name: 'order_id', value: 'A-1' }], both, both])
})

test('a required value that is missing is named, and nothing is sent', async () => {
  const seen = service({ agent: { variables: [orderId, { ...orderId, name: 'shop' }] } })
  renderTry()
  const shown = await values()
  expect(screen.getByText('Missing values: order_id, shop')).toBeTruthy()
  await send('Hello')
  await userEvent.type(shown.getByLabelText(/^shop/), 'x')
  expect(screen.getByText('Missing value: order_id')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true)
  expect(seen.sent).toEqual([])
  await write(shown.getByLabelText(/^order_id/), 'A-1')
  expect(screen.queryByText(/Missing value/)).toBeNull()
  await userEvent.type(await composer(), '{Enter}')
  await waitFor(() => expect(seen.sent).toHaveLength(1))
})

test('an emptied value is sent empty, until the default value is wanted again', async () => {
  const seen = service({ agent: { variables: [tone] } })
  renderTry()
  const field = (await values()).getByLabelText(/^tone/)
  await userEvent.type(field, 'x{Backspace}')
  expect(screen.getByText(/Sent as empty text/)).toBeTruthy()
  await say('one')
  await userEvent.click(await toggle())
  await userEvent.click(screen.getByRole('button', { name: 'Use the default value of tone' }))
  expect(document.activeElement).toBe((await values()).getByLabelText(/^tone/))
  await say('two')
  expect(seen.sent.map(({ variables }) => variables)).toEqual([[{ name: 'tone', value: '' }], undefined])
})

test('a version has its own variables, and gets no values of others', async () => {
  const seen = service({
    agent: { variables: [orderId, tone] },
    versions: [version(2, { variables: [tone] }), version(1, { variables: [] })],
  })
  renderTry()
  await write((await values()).getByLabelText(/^order_id/), 'A-1')
  await write((await values()).getByLabelText(/^tone/), 'stern')
  await userEvent.click(screen.getByRole('combobox', { name: 'Version' }))
  await userEvent.click(await screen.findByRole('option', { name: /^Version 2/ }))
  await waitFor(() => expect(screen.queryByLabelText(/^order_id/)).toBeNull())
  expect(await screen.findByLabelText(/^tone/)).toHaveProperty('value', 'stern')
  await say('one')
  await userEvent.click(screen.getByRole('combobox', { name: 'Version' }))
  await userEvent.click(await screen.findByRole('option', { name: /^Version 1/ }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Test values' })).toBeNull())
  await say('two')
  expect(seen.sent.map(({ variables }) => variables)).toEqual([[{ name: 'tone', value: 'stern' }], undefined])
})

test('a version keeps its variables when newer ones have been published since the list was read', async () => {
  const versions = [version(1, { variables: [tone] })]
  const seen = service({ agent: { variables: [tone] }, versions })
  renderTry()
  await write((await values()).getByLabelText(/^tone/), 'stern')
  await userEvent.click(screen.getByRole('combobox', { name: 'Version' }))
  const option = await screen.findByRole('option', { name: /^Version 1/ })
  versions.unshift(version(4), version(3), version(2))
  await userEvent.click(option)
  await screen.findByText('Send a message to try version 1.')
  await waitFor(() => expect(screen.getByLabelText(/^tone/)).toHaveProperty('value', 'stern'))
  await say('one')
  expect(seen.sent[0]).toMatchObject({ version: 1, variables: [{ name: 'tone', value: 'stern' }] })
})

test('values are not left out where the variables of a version could not be read', async () => {
  const versions = [version(1, { variables: [tone] })]
  const seen = service({ agent: { variables: [tone] }, versions })
  renderTry()
  await write((await values()).getByLabelText(/^tone/), 'stern')
  await userEvent.click(screen.getByRole('combobox', { name: 'Version' }))
  const option = await screen.findByRole('option', { name: /^Version 1/ })
  const [gone] = versions.splice(0, 1)
  await userEvent.click(option)
  const error = within(await screen.findByRole('alert'))
  expect(error.getByText('Version 1 doesn’t exist.')).toBeTruthy()
  await send('one')
  expect(seen.sent).toEqual([])
  versions.push(gone as (typeof versions)[number])
  await userEvent.click(error.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByLabelText(/^tone/)).toHaveProperty('value', 'stern')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', false))
  await userEvent.type(await composer(), '{Enter}')
  await waitFor(() => expect(seen.sent[0]?.variables).toEqual([{ name: 'tone', value: 'stern' }]))
})

test('without variables the values are folded away; the end user is fixed once the conversation has begun', async () => {
  const seen = service()
  renderTry()
  const button = await toggle()
  expect(button.getAttribute('aria-expanded')).toBe('false')
  expect(screen.queryByLabelText('User ID (optional)')).toBeNull()
  await userEvent.click(button)
  const field = (await values()).getByLabelText('User ID (optional)')
  await write(field, 'ada')
  await say('one')
  expect(field).toHaveProperty('readOnly', true)
  expect(screen.getByText('Fixed for this chat. Start a new one to change it.')).toBeTruthy()
  await userEvent.type(field, 'x')
  await say('two')
  await fromChatMenu('New chat')
  await userEvent.type(field, '2')
  await say('three')
  expect(seen.sent.map(({ userId }) => userId)).toEqual(['ada', 'ada', 'ada2'])
})

test('a first message that was refused leaves the end user open; its retry goes with the one it had', async () => {
  const seen = service({
    send: (_, attempt) => {
      if (attempt < 3) throw refusal('RATE_LIMITED', 'Too many messages.')
      return {}
    },
  })
  renderTry()
  await userEvent.click(await toggle())
  const field = (await values()).getByLabelText('User ID (optional)')
  await write(field, 'ada')
  await send('one')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(field).toHaveProperty('readOnly', false)
  await userEvent.type(field, '2')
  await userEvent.click(retry)
  expect(field).toHaveProperty('value', 'ada')
  await waitFor(() => expect(field).toHaveProperty('readOnly', false))
  await userEvent.type(field, '3')
  await say('two')
  expect(field).toHaveProperty('readOnly', true)
  expect(seen.sent.map(({ userId }) => userId)).toEqual(['ada', 'ada', 'ada3'])
})

test('an end user is fixed while a message is on its way, and while its outcome is unknown', async () => {
  let fail: (error: unknown) => void = () => undefined
  const seen = service({ start: () => new Promise((_, reject) => (fail = reject)) })
  renderTry()
  await userEvent.click(await toggle())
  const field = (await values()).getByLabelText('User ID (optional)')
  await send('one')
  await waitFor(() => expect(seen.sent).toHaveLength(1))
  expect(field).toHaveProperty('readOnly', true)
  fail(refusal('INTERNAL', 'Something went wrong.'))
  await screen.findByRole('button', { name: 'Retry' })
  expect(field).toHaveProperty('readOnly', true)
})

test('what is too long is reported and not sent', async () => {
  const seen = service({ agent: { variables: [tone] } })
  renderTry()
  const shown = await values()
  await userEvent.click(shown.getByLabelText('User ID (optional)'))
  await userEvent.paste('x'.repeat(256))
  expect(shown.getByText('Use at most 255 characters.')).toBeTruthy()
  expect(screen.getByText('A value is too long.')).toBeTruthy()
  await send('Hello')
  await userEvent.type(shown.getByLabelText('User ID (optional)'), '{Backspace}')
  await userEvent.click(shown.getByLabelText(/^tone/))
  await userEvent.paste('y'.repeat(4_001))
  expect(shown.getByText('Use at most 4,000 characters.')).toBeTruthy()
  await userEvent.type(await composer(), '{Enter}')
  expect(seen.sent).toEqual([])
})

test('a retry sends what the message was sent with, and its call shows it', async () => {
  const seen = service({
    agent: { variables: [tone] },
    send: (_, attempt) => (attempt === 1 ? { state: 'FAILED', errorCode: 'model_error', reply: null } : {}),
  })
  renderTry()
  const shown = await values()
  await write(shown.getByLabelText(/^tone/), 'stern')
  await write(shown.getByLabelText('User ID (optional)'), 'ada')
  await send('Hello')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  await userEvent.click(await toggle())
  await write((await values()).getByLabelText(/^tone/), 'er')
  await userEvent.click(retry)
  await screen.findByText('Hello', { selector: 'strong' })
  const variables = [{ name: 'tone', value: 'stern' }]
  expect(seen.sent).toMatchObject([
    { variables, userId: 'ada' },
    { variables, userId: 'ada' },
  ])
  await fromChatMenu('View as cURL')
  const command = (await screen.findByRole('region', { name: 'This message as cURL' })).textContent
  expect(command).toContain('"user_id": "ada", "variables": {"tone": "stern"}')
})
