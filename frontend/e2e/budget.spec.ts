import type { Response } from '@playwright/test'
import { routes, states } from './screenshots/states'
import { test as everyState } from './screenshots/visit'
import { gzipped, heavyChunks } from './support/chunks'
import { expect, full, test } from './support/test'

const agentsBudget = 230_000

test('acceptance 18: a cold /agents needs at most 230 KB of gzipped JavaScript', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  await owner.newAgent({ name: 'Order desk' })
  const scripts: ReturnType<typeof weigh>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(weigh(response))
  })
  await page.goto('/agents')
  await expect(page.getByRole('link', { name: 'Order desk' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const weighed = await Promise.all(scripts)
  expect(weighed.length).toBeGreaterThan(3)
  // Files too small to gain by it travel as they are.
  expect(weighed.filter(({ encoding, bytes }) => !encoding && bytes > 1_000)).toEqual([])
  const total = weighed.reduce((sum, { bytes }) => sum + bytes, 0)
  test.info().annotations.push({ type: 'JavaScript', description: `${total} bytes in ${weighed.length} files` })
  expect(total).toBeGreaterThan(50_000)
  expect(total).toBeLessThanOrEqual(agentsBudget)
})

/** The size that counts is the gzipped one, whichever encoding the browser was served. */
async function weigh(response: Response) {
  return { encoding: response.headers()['content-encoding'], bytes: gzipped(await response.body()) }
}

everyState('acceptance 18: what breaks the policy is noticed', async ({ visit, problems }) => {
  const [login] = states
  if (!login) throw new Error('There are no states')
  problems.drain()
  await visit(login, async (page) => {
    await page.evaluate(() => {
      document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = true' }))
      document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/pixel.png' }))
    })
    const noticed: string[] = []
    const all = () => noticed.push(...problems.drain()) && noticed.join()
    await expect.poll(all).toMatch(/policy violation: script-src/)
    await expect.poll(all).toMatch(/policy violation: img-src/)
  })
  problems.drain()
})

// The first state of every route is looked at in a11y.spec.ts.
for (const route of routes) {
  everyState(
    `acceptance 18: ${route} keeps to its origin, policy and budget in every state`,
    full(),
    async ({ visit, problems }) => {
      everyState.slow()
      problems.drain()
      const heavy: string[] = []
      for (const state of states) {
        // A page whose network is down, or that does not exist, has errors by right.
        if (state.route !== route || state.network || state.missing) continue
        await everyState.step(state.name, () =>
          visit(state, async (page) => void heavy.push(...(await heavyChunks(page)))),
        )
      }
      expect(heavy).toEqual([])
      expect(problems.drain()).toEqual([])
    },
  )
}
