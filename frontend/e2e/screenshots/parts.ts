import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { createServer } from 'vite'

// Pictures of every part of the panel in every state. The page is not in the build, so Vite serves it.
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = process.env.SCREENSHOTS ?? `${root}/screenshots`

test('parts', async ({ browser }) => {
  mkdirSync(folder, { recursive: true })
  const server = await createServer({ root, server: { port: 0, strictPort: false }, logLevel: 'error' })
  await server.listen()
  try {
    for (const width of [390, 1280]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const forcedColors of ['none', 'active'] as const) {
          const page = await browser.newPage({ colorScheme, forcedColors, viewport: { width, height: 800 } })
          await page.goto(`${server.resolvedUrls?.local[0]}parts.html`)
          await expect(page.getByRole('heading', { name: 'Parts' })).toBeVisible()
          await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
          const forced = forcedColors === 'active' ? '-forced' : ''
          await page.screenshot({ path: `${folder}/parts-${width}-${colorScheme}${forced}.png`, fullPage: true })
          await page.close()
        }
      }
    }
  } finally {
    await server.close()
  }
})
