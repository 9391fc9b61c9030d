import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { version } from '@/shared/testing/versions'
import { address, renderTry, send, service } from './testing'

afterEach(() => session.signedOut())

const answering = () => screen.findByRole('combobox', { name: 'Version' })

test('the draft answers until a version is chosen, which is in the address and sent with each message', async () => {
  const seen = service()
  const { router } = renderTry()
  expect(await answering()).toHaveProperty('value', 'Draft')
  expect(screen.getByText(/Send a message to try the draft/)).toBeTruthy()
  await send('one')
  await screen.findByText('one', { selector: 'strong' })

  await userEvent.click(await answering())
  await userEvent.click(await screen.findByRole('option', { name: /^Version 2/ }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ version: 2 }))
  await send('two')
  await screen.findByText('two', { selector: 'strong' })
  expect(seen.sent.map((input) => input.version)).toEqual([undefined, 2])
  expect(seen.sent[0]?.sessionId).toBe(seen.sent[1]?.sessionId)
})

test('a version has its own model and price', async () => {
  const model = { name: 'demo/big', label: 'Big', creditsPerMessage: 7, available: true }
  service({ versions: [version(1, { model })] })
  renderTry(`${address}?version=1`)
  expect(await screen.findByText('7 credits per message')).toBeTruthy()
  expect(screen.getByText('Send a message to try version 1.')).toBeTruthy()
})

test('a version whose model is gone cannot answer, and says so', async () => {
  const seen = service({ versions: [version(1, { model: null })] })
  renderTry(`${address}?version=1`)
  expect(await screen.findByText('The model of version 1 is no longer available')).toBeTruthy()
  await send('Hello')
  expect(seen.sent).toEqual([])
})

test('a version that is not there says so, also where there are many', async () => {
  const versions = Array.from({ length: 60 }, (_, i) => version(60 - i))
  const seen = service({ versions })
  renderTry(`${address}?version=99`)
  expect(await screen.findByText('Version 99 doesn’t exist')).toBeTruthy()
  await send('Hello')
  expect(seen.sent).toEqual([])
})

test('a retry goes to what the message was sent to', async () => {
  const seen = service({
    send: (_, attempt) => (attempt === 1 ? { state: 'FAILED', errorCode: 'model_error', reply: null } : {}),
  })
  const { router } = renderTry(`${address}?version=2`)
  await send('Hello')
  const retry = await within(await screen.findByRole('log')).findByRole('button', { name: 'Retry' })
  await router.navigate({ to: address as '/' })
  await userEvent.click(retry)
  await waitFor(() => expect(seen.sent.map((input) => input.version)).toEqual([2, 2]))
})
