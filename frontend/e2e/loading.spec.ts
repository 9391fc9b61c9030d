import type { Page } from '@playwright/test'
import { expect, test } from './support/test'

const agent = (page: Page) => page.getByRole('link', { name: 'Order desk', exact: true })

test('row 24: a cold list of agents asks for at most 9 scripts, and twice for data', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  await owner.newAgent({ name: 'Order desk' })
  const asked = { scripts: 0, data: 0 }
  page.on('request', (request) => {
    if (request.resourceType() === 'script') asked.scripts++
    if (request.url().endsWith('/graphql')) asked.data++
  })
  await page.goto('/agents')
  await expect(agent(page)).toBeVisible()
  expect(asked.scripts).toBeLessThanOrEqual(9)
  expect(asked.data).toBe(2)
})

test('row 24: at 50 KB/s the mark is there in 1.5 s, and the agents in 12 s @long', async ({ page, newOwner }) => {
  const owner = await newOwner()
  await owner.newAgent({ name: 'Order desk' })
  const network = await page.context().newCDPSession(page)
  const throughput = 50 * 1024
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  })
  await page.goto('/agents', { waitUntil: 'commit' })
  await expect(agent(page)).toBeVisible()
  const times = await page.evaluate(() => ({
    mark: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    agents: performance.now(),
  }))
  expect(times.mark).toBeLessThan(1_500)
  expect(times.agents).toBeLessThan(12_000)
})
