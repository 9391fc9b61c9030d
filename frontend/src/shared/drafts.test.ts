import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetAccount, keepAccount } from '@/shared/gql'
import { draftKey, dropAllDrafts, dropDraft, dropDraftsOfOthers, isStored, keepDraft, readDraft } from './drafts'

beforeEach(() => {
  vi.useFakeTimers()
  keepAccount('n', 'u1', 'OWNER')
})
afterEach(() => void vi.restoreAllMocks())

const typed = (text: string) => ({ base: { values: { text: '' } }, values: { text } })
const stored = () => Object.keys(sessionStorage).filter((key) => key.startsWith('draft/'))

test('a draft is in storage 300 ms after the last key, or once the page is left, until it is dropped', () => {
  const key = draftKey('a1', 'text')
  keepDraft(key, typed('o'))
  vi.advanceTimersByTime(299)
  keepDraft(key, typed('one'))
  vi.advanceTimersByTime(299)
  expect([isStored(key), readDraft(key)]).toEqual([false, typed('one')])
  vi.advanceTimersByTime(1)
  expect(sessionStorage.getItem('draft/u1/n/a1/text')).toBe(JSON.stringify(typed('one')))
  expect([isStored(key), readDraft(key)]).toEqual([true, typed('one')])
  keepDraft(key, typed('one two'))
  dispatchEvent(new Event('pagehide'))
  expect(sessionStorage.getItem(key)).toBe(JSON.stringify(typed('one two')))
  dropDraft(key)
  vi.advanceTimersByTime(300)
  expect([stored(), readDraft(key)]).toEqual([[], undefined])
})

test('what storage does not take stays in memory', () => {
  const key = draftKey('a1', 'text')
  keepDraft(key, typed('short'))
  vi.advanceTimersByTime(300)
  const long = typed('x'.repeat(1_000_001))
  keepDraft(key, long)
  vi.advanceTimersByTime(300)
  expect([isStored(key), readDraft(key)]).toEqual([false, long])
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError')
  })
  keepDraft(key, typed('short'))
  vi.advanceTimersByTime(300)
  expect([isStored(key), readDraft(key)]).toEqual([false, typed('short')])
})

test('drafts go with their agent, and with their user', () => {
  const [one, two] = [draftKey('a1', 'agent'), draftKey('a2', 'agent')]
  for (const key of [one, draftKey('a1', 'try'), two]) keepDraft(key, typed('one'))
  dispatchEvent(new Event('pagehide'))
  keepDraft(draftKey('a1', 'text'), typed('one'))
  dropAllDrafts('a1')
  vi.advanceTimersByTime(300)
  expect(stored()).toEqual(['draft/u1/n/a2/agent'])
  sessionStorage.setItem('draft/u2/n/a3/agent', '{}')
  dropDraftsOfOthers('u2')
  expect(stored()).toEqual(['draft/u2/n/a3/agent'])
  keepAccount('n', 'u2', 'OWNER')
  keepDraft(two, typed('of a form that is still open'))
  forgetAccount()
  keepDraft(draftKey('a1', 'agent'), typed('of nobody'))
  dropAllDrafts()
  dispatchEvent(new Event('pagehide'))
  expect(stored()).toEqual([])
})
