import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderInPanel } from '@/shared/testing/render'
import { SentText } from './SentText'

test('shows a text as sent, and copies it whole', async () => {
  const user = userEvent.setup()
  const text = `**bold** ${'word '.repeat(1_500)}end`
  renderInPanel(<SentText text={text} name="Reply" blockLabel="Code or table" />)
  expect((await screen.findByText('bold')).tagName).toBe('STRONG')
  const asSent = screen.getByRole('button', { name: 'Raw', pressed: false })
  await user.click(asSent)
  expect(screen.getByRole('group', { name: 'Reply' }).textContent).toContain('**bold** word')
  await user.click(asSent)
  expect((await screen.findByText('bold')).tagName).toBe('STRONG')

  Object.defineProperty(window, 'isSecureContext', { configurable: true, value: true })
  await user.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await navigator.clipboard.readText()).toBe(text)
})

test.each([
  ['paragraphs', `**bold** text\n\n${'word '.repeat(40)}\n\n`.repeat(80), 'STRONG'],
  ['one paragraph that is too long to be parsed', `**bold** ${'word '.repeat(3_000)}`, undefined],
])('%s have one form, before and after "Show all"', async (_, text, tag) => {
  renderInPanel(<SentText text={text} name="Reply" blockLabel="Code or table" />)
  const forms = async () => (tag ? (await screen.findAllByText('bold'))[0]?.tagName : undefined)
  expect(await forms()).toBe(tag)
  await userEvent.click(screen.getByRole('button', { name: /^Show all/ }))
  expect(await forms()).toBe(tag)
  expect(screen.getByRole('group').textContent?.includes('**')).toBe(tag === undefined)
})
