import type { Page } from '@playwright/test'
import { chat } from './support/owner'
import { inParallel, randomFrom } from './support/parallel'
import { expect, full, test } from './support/test'

const pageSize = 50
const callersAtOnce = 8

for (const conversations of [300, 1_000]) {
  test(
    `acceptance 9: paging through ${conversations} conversations while others arrive and speak again`,
    full(),
    async ({ strictPage: page, newOwner }) => {
      test.setTimeout(240_000)
      const seed = Number(process.env.E2E_SEED ?? Date.now())
      const random = randomFrom(seed)
      const owner = await newOwner({ credits: 0 })
      const agent = await owner.newAgent()
      const { apiKey } = await owner.newExport(agent.id)
      const say = async (label: string) => {
        const { status, body } = await chat(apiKey, 'Hello', label)
        expect(status, JSON.stringify(body)).toBe(200)
      }
      const labels = Array.from({ length: conversations }, (_, number) => `customer ${number}`)
      const began = Date.now()
      await inParallel(labels, callersAtOnce, say)
      console.log(`seed ${seed}; ${conversations} conversations made in ${Date.now() - began} ms`)

      await page.goto(`/agents/${agent.id}/conversations`)
      await expect(links(page)).toHaveCount(pageSize)
      const spoke = new Set<string>()
      const shownBefore = new Set<string>()
      const showMore = page.getByRole('button', { name: 'Show more' })
      let arrived = 0
      let slowest = 0
      for (let shown = await shownOnce(page); ; shown = await shownOnce(page)) {
        // Nothing that was shown goes away or changes its place meanwhile.
        expect([...shownBefore]).toEqual(shown.slice(0, shownBefore.size))
        for (const label of shown) shownBefore.add(label)
        if (!(await showMore.isVisible())) break
        const unseen = labels.filter((label) => !shownBefore.has(label) && !spoke.has(label))
        const speakers = [...some(shown, 2, random), ...some(unseen, 2, random)].filter((label) => label !== undefined)
        for (const label of speakers) spoke.add(label)
        const newcomers = [`newcomer ${arrived++}`, `newcomer ${arrived++}`]
        const clicked = Date.now()
        await Promise.all([showMore.click(), ...[...speakers, ...newcomers].map(say)])
        await expect
          .poll(async () => (await links(page).count()) > shown.length || !(await showMore.isVisible()))
          .toBe(true)
        await expect(page.getByRole('button', { name: 'Show more' }).and(page.locator('[data-loading]'))).toHaveCount(0)
        slowest = Math.max(slowest, Date.now() - clicked)
      }

      const skipped = labels.filter((label) => !shownBefore.has(label))
      expect(skipped.filter((label) => !spoke.has(label))).toEqual([])
      // It was put to the test: some did move out of the reader's way, and about 20 pages were read.
      expect(skipped.length).toBeGreaterThan(0)
      // The last page comes as the first did: rows that stand there are not rendered anew.
      expect(slowest).toBeLessThan(6_000)
      expect(shownBefore.size).toBeGreaterThan(conversations - 2 * (conversations / pageSize) - 1)
      console.log(
        `${shownBefore.size} shown once; ${skipped.length} of the ${spoke.size} that spoke were skipped; the slowest page came in ${slowest} ms`,
      )

      // At the top again, those that spoke stand there.
      await page.reload()
      await expect(links(page)).toHaveCount(pageSize)
      const top = new Set(await shownOnce(page))
      expect(
        Array.from({ length: arrived }, (_, number) => `newcomer ${number}`)
          .slice(-4)
          .every((l) => top.has(l)),
      ).toBe(true)
    },
  )
}

const links = (page: Page) => page.getByRole('table').locator('a[href^="/conversations/"]')

/** The labels shown, in their order, after a look that none stands there twice. */
async function shownOnce(page: Page): Promise<string[]> {
  const rows = await links(page).evaluateAll((all) =>
    all.map((link) => ({ address: link.getAttribute('href'), label: link.textContent ?? '' })),
  )
  expect(new Set(rows.map(({ address }) => address)).size).toBe(rows.length)
  expect(new Set(rows.map(({ label }) => label)).size).toBe(rows.length)
  return rows.map(({ label }) => label)
}

function some(labels: readonly string[], amount: number, random: () => number): (string | undefined)[] {
  return Array.from({ length: Math.min(amount, labels.length) }, () => labels[Math.floor(random() * labels.length)])
}
