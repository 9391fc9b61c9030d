import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { states } from './states'
import { settled, test } from './visit'

// Screenshots of every state, for people to look at: make screenshots.
const folder = process.env.SCREENSHOTS ?? fileURLToPath(new URL('../../screenshots', import.meta.url))
const sizes = {
  narrow: { width: 390, height: 844 },
  medium: { width: 1024, height: 768 },
  wide: { width: 1440, height: 900 },
} as const
const looks = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
} as const

/** Whether a dialog is open. It covers the window, not the whole page. */
const hasDialog = async (page: Page) => (await page.getByRole('dialog').count()) > 0

mkdirSync(folder, { recursive: true })

for (const state of states) {
  test(state.name, async ({ visit }) => {
    await visit(state, async (page) => {
      // Forced colours come last, because some drawn elements keep them.
      for (const [look, media] of Object.entries(looks)) {
        await page.emulateMedia(media)
        for (const [width, size] of Object.entries(sizes)) {
          if (state.only && (state.only === 'narrow') !== (width === 'narrow')) continue
          await page.setViewportSize(size)
          await settled(page, state)
          await page.screenshot({
            path: `${folder}/${state.name}-${width}-${look}.png`,
            fullPage: !(await hasDialog(page)),
          })
        }
      }
    })
  })
}
