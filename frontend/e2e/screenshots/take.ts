import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { states } from './states'
import { settled, test } from './visit'

// Pictures of every state, to be looked at by people: make screenshots.
const folder = process.env.SCREENSHOTS ?? fileURLToPath(new URL('../../screenshots', import.meta.url))
const sizes = {
  narrow: { width: 360, height: 740 },
  medium: { width: 900, height: 800 },
  wide: { width: 1280, height: 800 },
} as const
const looks = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
} as const

/** What lies over a page covers the window, not the whole page. */
const over = async (page: Page) => (await page.getByRole('dialog').count()) > 0

mkdirSync(folder, { recursive: true })

for (const state of states) {
  test(state.name, async ({ visit }) => {
    await visit(state, async (page) => {
      // Forced colours come last: some of them stay with what is drawn.
      for (const [look, media] of Object.entries(looks)) {
        await page.emulateMedia(media)
        for (const [width, size] of Object.entries(sizes)) {
          if (state.only && state.only !== width) continue
          await page.setViewportSize(size)
          await settled(page, state)
          await page.screenshot({
            path: `${folder}/${state.name}-${width}-${look}.png`,
            fullPage: !(await over(page)),
          })
        }
      }
    })
  })
}
