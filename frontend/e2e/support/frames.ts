import type { Page } from '@playwright/test'

/** Waits until what the page holds now has been painted: the second frame begins when the first is done. */
export const painted = (page: Page) =>
  page.waitForFunction(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true)))),
    undefined,
    { timeout: 30_000 },
  )
