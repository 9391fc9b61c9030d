import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'

const chunkBudget = 120_000
/** The scripts seen by this worker, by address, with their gzipped sizes in bytes. */
const sizes = new Map<string, number>()

/** The gzipped size in bytes, which is the one that counts, whichever encoding the browser was served. */
export const gzipped = (content: Buffer) => gzipSync(content, { level: 9 }).length

/** The scripts of a loaded page that are over the budget of a chunk. */
export async function heavyChunks(page: Page): Promise<string[]> {
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  const scripts = loaded.filter((url) => url.endsWith('.js'))
  if (scripts.length < 4) throw new Error(`${page.url()} has loaded only ${scripts.length} scripts`)
  for (const url of scripts) {
    if (!sizes.has(url)) sizes.set(url, gzipped(await (await page.request.get(url)).body()))
  }
  return scripts.filter((url) => (sizes.get(url) ?? 0) > chunkBudget)
}
