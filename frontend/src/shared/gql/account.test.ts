import { afterEach, beforeEach, expect, test } from 'vitest'

let loads = 0

/** The account as a page of a new load knows it. */
const newPage = (): Promise<typeof import('./account')> => import(/* @vite-ignore */ `./account.ts?load=${loads++}`)

const clear = () => {
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
}
beforeEach(clear)
afterEach(clear)

test('a tab keeps its account, and a new one begins with the one used last', async () => {
  const first = await newPage()
  expect(first.accountId()).toBeUndefined()
  first.keepAccount('a', 'u', 'OWNER')
  localStorage.setItem('account', 'b u') // another tab
  expect((await newPage()).accountId()).toBe('a')
  sessionStorage.clear() // a new tab
  expect((await newPage()).accountId()).toBe('b')
})

test('the tab that is looked at is the one used last', async () => {
  const first = await newPage()
  first.keepAccount('a', 'u', 'OWNER')
  localStorage.setItem('account', 'b u')
  window.dispatchEvent(new Event('focus'))
  expect(localStorage.getItem('account')).toBe('a u OWNER')
})

test('after a reload the role is known as it was, but the user only once the service has answered', async () => {
  const before = await newPage()
  before.keepAccount('a', 'u', 'VIEWER')
  const next = await newPage()
  expect([next.lastRole(), next.userId()]).toEqual(['VIEWER', undefined])
  next.keepAccount('a', 'u', 'EDITOR')
  expect([next.lastRole(), next.userId()]).toEqual(['EDITOR', 'u'])
})

test('the address names an account once, before whatever is remembered', async () => {
  sessionStorage.setItem('account', 'a u')
  window.history.replaceState(null, '', '/usage?days=7&account=b#top')
  const next = await newPage()
  expect(next.accountId()).toBe('b')
  expect(window.location.href).toMatch(/\/usage\?days=7#top$/)
  next.keepAccount('b', 'u', 'OWNER')
  expect((await newPage()).accountId()).toBe('b')
})
