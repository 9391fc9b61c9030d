import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { session } from '@/shared/gql'
import { remember, remembered } from '@/shared/remembered'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { fromMenu } from '@/testing/fromMenu'
import { renderPage } from '@/testing/renderPage'
import { service } from './testing'

afterEach(() => session.forget())

test('a message under way is followed until it is answered', async () => {
  const { turns } = service([{ state: 'PENDING' }])
  renderPage('/activity/conversations/c1')
  expect(await screen.findByText('Waiting for the reply…')).toBeTruthy()
  turns[0] = { reply: 'There you are.', finishReason: 'length' }
  expect(await screen.findByText('There you are.')).toBeTruthy()
  expect(
    screen.getByText('Cut off at the model’s length limit, or because the service ran out of memory for the rest.'),
  ).toBeTruthy()
})

test('earlier turns come in above, each once and in order', async () => {
  service(Array.from({ length: 45 }, () => ({ reply: 'Yes.' })))
  renderPage('/activity/conversations/c1')
  const scrolled = vi.spyOn(Element.prototype, 'scrollTop', 'set')
  const numbers = () => [...document.querySelectorAll('article h3')].map((title) => Number(title.textContent?.slice(5)))
  await screen.findByText('message 45')
  expect(numbers()).toEqual(Array.from({ length: 20 }, (_, i) => 26 + i))
  await userEvent.click(screen.getByText('Load earlier turns'))
  await screen.findByText('message 6')
  await userEvent.click(screen.getByText('Load earlier turns'))
  await screen.findByText('message 1')
  expect(numbers()).toEqual(Array.from({ length: 45 }, (_, i) => 1 + i))
  expect(scrolled).toHaveBeenCalledTimes(2)
  expect(screen.queryByText('Load earlier turns')).toBeNull()
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Transcript')
})

test('on the way back to an earlier turn, those that are there are not rendered again', async () => {
  const formatted: number[] = []
  const { prototype } = Intl.NumberFormat
  const own = Object.getOwnPropertyDescriptor(prototype, 'format') ?? {}
  onTestFinished(() => void Object.defineProperty(prototype, 'format', own))
  Object.defineProperty(prototype, 'format', {
    ...own,
    get(this: Intl.NumberFormat) {
      const format: (value: number) => string = own.get?.call(this)
      return (value: number) => {
        formatted.push(value) // as each turn's number is
        return format(value)
      }
    },
  })
  service(Array.from({ length: 103 }, () => ({ reply: 'Yes.' })))
  renderPage('/activity/conversations/c1?turn=1')
  await screen.findByText('message 1')
  const rendered = (number: number) => formatted.filter((value) => value === number).length
  expect(rendered(102)).toBe(rendered(3))
})

test('a conversation of an end user leads to their page', async () => {
  service([{ reply: 'Yes.' }], 'customer 7')
  renderPage('/activity/conversations/c1')
  const [link] = await screen.findAllByRole('link', { name: 'customer 7' })
  expect(link?.getAttribute('href')).toBe('/activity/people/person?id=customer+7')
})

test('a conversation without an end user names none', async () => {
  service([{ reply: 'Yes.' }])
  renderPage('/activity/conversations/c1')
  expect(await screen.findByRole('heading', { name: 'Visitor customer-7' })).toBeTruthy()
  expect(within(screen.getByRole('dialog')).queryByText('User')).toBeNull()
})

test('a conversation is deleted after a question, whose Cancel has the focus', async () => {
  const { deleted } = service([{ reply: 'Yes.' }])
  remember('a1', 'customer-7')
  const { router } = renderPage('/activity/conversations/c1')
  await fromMenu('Delete conversation')
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete this conversation?' }))
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' })))
  expect(dialog.getByText('customer-7')).toBeTruthy()
  expect(deleted).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Delete conversation' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/activity/conversations'))
  expect(deleted).toEqual([{ id: 'c1' }])
  await waitFor(() => expect(remembered('a1')).toBeUndefined())
})

test.each([
  ['Only with the agent Shop help', { sessionId: 'customer-7', agentId: 'a1' }],
  ['With any agent in this account', { sessionId: 'customer-7' }],
])('all conversations of a session ID are deleted: %s', async (scope, input) => {
  const { deleted } = service([{ reply: 'Yes.' }])
  const { router } = renderPage('/activity/conversations/c1')
  await fromMenu('Delete all with this session ID')
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete all conversations with this session ID?' }))
  expect((dialog.getByRole('radio', { name: /^Only/ }) as HTMLInputElement).checked).toBe(true)
  await userEvent.click(dialog.getByRole('radio', { name: scope }))
  await userEvent.click(dialog.getByRole('button', { name: 'Delete all with this session ID' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/activity/conversations'))
  expect(deleted).toEqual([input])
  expect(await screen.findByText('3 conversations deleted')).toBeTruthy()
})

test('a conversation leads on to Try, with its last answer, and says how much its user has left today', async () => {
  service(
    [{ reply: 'Yes.' }, { reply: 'No.' }, { state: 'FAILED', errorCode: 'model_error', reply: null }],
    'customer 7',
  )
  renderPage('/activity/conversations/c1')
  const link = await screen.findByRole('link', { name: 'Continue in Try' })
  expect(link.getAttribute('href')).toBe('/agents/a1?continue=t2')
  expect(await screen.findByText('7 of 20')).toBeTruthy()
  expect(screen.getByText('3, 1 failed')).toBeTruthy()
  expect(document.title).toContain('customer 7')
})

test('a conversation that is not there says so', async () => {
  session.signedIn('good', inMinutes(15), Date.now())
  answer({
    conversation: () => {
      throw refusal('NOT_FOUND', 'There is no such conversation.')
    },
  })
  renderPage('/activity/conversations/c2')
  expect(await screen.findByText('Conversation not found')).toBeTruthy()
  const back = screen.getByRole('link', { name: 'All conversations' })
  expect(back.getAttribute('href')).toBe('/activity/conversations')
})
