import type { Page } from '@playwright/test'
import { chat } from './support/owner'
import { expect, long, test } from './support/test'

/** The words that are marked as the hit that is shown, the turn they stand in, and whether they are in the window. */
const shown = (page: Page) =>
  page.evaluate(() =>
    [...(CSS.highlights.get('current-hit') ?? [])].map((place) => {
      const range = place as Range
      const { top, bottom } = range.getBoundingClientRect()
      const turn = range.startContainer.parentElement?.closest<HTMLElement>('[data-turn]')?.dataset.turn
      return { words: String(range), turn, inView: top >= 0 && bottom <= window.innerHeight }
    }),
  )

test(
  'acceptance 23: a hit is in view and marked, also far back in a long conversation',
  long,
  async ({ strictPage: page, newOwner }) => {
    test.setTimeout(240_000)
    const slow = { timeout: 60_000 } // 500 turns are 60,000 nodes: 4 seconds of a processor, however many share it
    const owner = await newOwner()
    const agent = await owner.newAgent({ name: 'Order desk', model: 'sandbox/free' })
    const { apiKey } = await owner.newExport(agent.id, 'Shop')
    const said = (n: number) => (n === 7 ? 'Is the cafe\u0301\nopen <b>today</b>?' : `Message ${n}`)
    const send = async (n: number) => expect((await chat(apiKey, said(n), 'long')).status).toBe(200)
    for (let n = 1; n <= 8; n++) await send(n)
    const others = Array.from({ length: 492 }, (_, i) => 9 + i).values() // in any order
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (const n of others) await send(n)
      }),
    )

    await page.goto('/activity/conversations?text=CAF%C3%89%20open')
    const passage = page.getByRole('link', { name: /Turn 7, message/ })
    await expect(passage.locator('mark')).toHaveText('cafe\u0301 open')
    await passage.click()
    await expect(page).toHaveURL(/turn=7/)
    const first = [{ words: 'cafe\u0301\nopen', turn: '7', inView: true }]
    await expect.poll(() => shown(page), slow).toEqual(first)
    await expect(page.getByText('Match 1 of the first 3 · turn 7, message')).toBeVisible()
    await page.reload()
    await expect.poll(() => shown(page), slow).toEqual(first)

    // The sandbox repeats a message in its reply, and in the next one.
    for (const turn of ['7', '8']) {
      await page.keyboard.press('n')
      await expect.poll(() => shown(page)).toEqual([{ words: 'cafe\u0301 open', turn, inView: true }])
    }
    await page.keyboard.press('n')
    await expect.poll(() => shown(page)).toEqual(first)
    await page.keyboard.press('Shift+N')
    await expect(page.getByText('Match 3 of the first 3 · turn 8, reply')).toBeVisible()

    await page.goto('/activity/conversations')
    await page.getByRole('link', { name: 'Visitor long' }).click()
    await expect(page.getByRole('article', { name: 'Turn 500', exact: true })).toBeInViewport()
  },
)

test('acceptance 8 and 22: a link to a turn opens it @long', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', model: 'sandbox/free' })
  const { apiKey } = await owner.newExport(agent.id, 'Shop')
  for (let n = 1; n <= 30; n++) expect((await chat(apiKey, `Message ${n}`, 'talk')).status).toBe(200)
  await page.goto('/activity/conversations')
  await page.getByRole('link', { name: 'Visitor talk' }).click()
  await expect(page.getByRole('article', { name: 'Turn 30', exact: true })).toBeInViewport()
  await expect(page.locator('[aria-current=true][data-turn]')).toHaveCount(0)
  await page.goto(`${page.url()}?turn=3`)
  await expect(page.getByRole('article', { name: 'Turn 3', exact: true })).toBeInViewport()
  await expect(page.locator('[aria-current=true][data-turn]')).toHaveAttribute('data-turn', '3')
})
