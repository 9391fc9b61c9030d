import { cleanup, configure, getConfig } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { dropAllDrafts } from '@/shared/drafts'
import { forgetAccount } from '@/shared/gql'
import { hearServerTime } from '@/shared/time/clock'
import { closeAllToasts } from '@/shared/ui'
import { server } from './server'

// What jsdom lacks and Mantine needs.
window.matchMedia = (query: string) =>
  ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  }) as MediaQueryList
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.HTMLElement.prototype.scrollIntoView = () => undefined
window.scrollTo = () => undefined
window.scrollBy = () => undefined
window.Range.prototype.getBoundingClientRect = () => new DOMRect()
// For a computed style, jsdom matches an element against all its rules, which would take a fifth of the time of all tests. What
// the panel hides here, it hides by the element's own style.
window.getComputedStyle = (element) => (element as HTMLElement).style
// Autosizing textareas listen for font loading.
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() })

// By default, each attempt of a findBy formats the whole document for its error. Only the last error is shown.
const { getElementError } = getConfig()
configure({
  asyncUtilTimeout: 30_000, // pages are compiled on first use, which is slow on a busy machine
  getElementError: (message, container) =>
    isPolling() ? new Error(message ?? '') : getElementError(message, container),
})

/** Whether a query runs in waitFor, which leaves out expensive diagnostics until it gives up. */
function isPolling() {
  return (getConfig() as unknown as { _disableExpensiveErrorDiagnostics: boolean })._disableExpensiveErrorDiagnostics
}

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))

// The panel's clock ticks every half minute: one that still runs for the file before may be behind.
beforeEach(() => void document.dispatchEvent(new Event('visibilitychange')))

afterEach(() => {
  cleanup()
  closeAllToasts()
  Reflect.deleteProperty(navigator, 'clipboard') // of user-event, which would last for the files that share this worker
  dropAllDrafts()
  sessionStorage.clear()
  forgetAccount()
  server.resetHandlers()
  vi.useRealTimers()
  hearServerTime(null) // files share the clock, which slow answers of a test may have set
})

afterAll(() => server.close())
