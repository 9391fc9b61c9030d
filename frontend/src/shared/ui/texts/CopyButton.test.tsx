import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderInPanel } from '@/shared/testing/render'
import { CopyButton } from './CopyButton'

const secret = 'agc_0123456789'

function secure(on: boolean, writeText?: (text: string) => Promise<void>) {
  vi.stubGlobal('isSecureContext', on)
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: writeText ? { writeText } : undefined })
}

/** A browser's execCommand: with `works` it fires a copy event whose data the clipboard takes. */
function execCommand(works: boolean): { clipboard: string } {
  const state = { clipboard: '' }
  document.execCommand = () => {
    if (!works) return true // it says so, and did nothing
    const event = new Event('copy', { bubbles: true, cancelable: true })
    Object.defineProperty(event, 'clipboardData', {
      value: { setData: (_: string, text: string) => (state.clipboard = text) },
    })
    document.activeElement?.dispatchEvent(event)
    return true
  }
  return state
}

async function click({ isShown = true } = {}) {
  const user = userEvent.setup({ writeToClipboard: false })
  // user-event installs a clipboard of its own: the test's goes back in.
  const own = Object.getOwnPropertyDescriptor(navigator, 'clipboard')
  const shown = createRef<HTMLElement>()
  renderInPanel(
    <>
      <code ref={shown}>{secret}</code>
      <CopyButton value={secret} shown={isShown ? shown : undefined} label="Copy key" />
    </>,
  )
  if (own) Object.defineProperty(navigator, 'clipboard', saved ?? own)
  await user.click(screen.getByRole('button', { name: 'Copy key' }))
}
let saved: PropertyDescriptor | undefined
afterEach(() => {
  saved = undefined
  vi.unstubAllGlobals()
})
const keep = () => {
  saved = Object.getOwnPropertyDescriptor(navigator, 'clipboard')
}

test('acceptance 4: says Copied when the clipboard took it', async () => {
  const writeText = vi.fn(async () => undefined)
  secure(true, writeText)
  keep()
  await click()
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
  expect(writeText).toHaveBeenCalledWith(secret)
})

test('acceptance 4: copies on plain http, where there is no clipboard API', async () => {
  secure(false)
  keep()
  const textareas = document.querySelectorAll('textarea').length
  const state = execCommand(true)
  await click()
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
  expect(state.clipboard).toBe(secret)
  expect(document.querySelectorAll('textarea')).toHaveLength(textareas)
})

test('acceptance 4: tries the other way when the browser refuses', async () => {
  secure(true, async () => Promise.reject(new Error('not allowed')))
  keep()
  const state = execCommand(true)
  await click()
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
  expect(state.clipboard).toBe(secret)
})

test('acceptance 4: never says Copied when nothing was copied, and selects the text', async () => {
  secure(false)
  keep()
  execCommand(false)
  await click()
  expect(await screen.findByRole('button', { name: /Couldn’t copy/ })).toBeTruthy()
  expect(screen.queryByText('Copied')).toBeNull()
  expect(window.getSelection()?.toString()).toBe(secret)
})

test('acceptance 4: a text that nothing shows comes up, selected, when it could not be copied', async () => {
  secure(false)
  keep()
  execCommand(false)
  await click({ isShown: false })
  const field = await screen.findByRole('textbox', { name: 'Copy key' })
  expect(document.activeElement).toBe(field)
  const { value, selectionStart, selectionEnd } = field as HTMLTextAreaElement
  expect([value, selectionStart, selectionEnd]).toEqual([secret, 0, secret.length])
})
