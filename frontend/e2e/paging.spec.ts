import { chat } from './support/owner'
import { inParallel } from './support/parallel'
import { expect, long, test } from './support/test'

test(
  'acceptance 9: of 1,000 conversations none is shown twice while others arrive, and none is left out that stayed',
  long,
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent({ model: 'sandbox/free' })
    const { apiKey } = await owner.newExport(agent.id)
    const say = async (session: string) => expect((await chat(apiKey, 'Hello', session)).status).toBe(200)
    const made = Array.from({ length: 1_000 }, (_, at) => `talk-${at}`)
    await inParallel(made, 8, say)
    await page.goto('/activity/conversations?time=all')
    const rows = page.locator('tbody tr')
    await expect(rows).toHaveCount(50)
    const more = page.getByRole('button', { name: 'Show more' })
    const spoke = new Set<string>()
    for (let at = 1; at < 20; at++) {
      // A new one, and one of the last that speaks again.
      spoke.add(`talk-${at * 7}`)
      await say(`new-${at}`)
      await say(`talk-${at * 7}`)
      const before = await rows.count()
      await more.click()
      await expect.poll(() => rows.count()).toBeGreaterThan(before)
    }
    await expect(more).toHaveCount(0)
    const links = await page
      .locator('tbody a[href^="/activity/conversations/"]')
      .evaluateAll((all) => all.map((one) => ({ name: one.textContent ?? '', href: one.getAttribute('href') ?? '' })))
    const sessions = links.filter(({ name }) => /^Visitor (talk|new)-\d+$/.test(name))
    expect(new Set(sessions.map(({ href }) => href)).size, 'none is shown twice').toBe(sessions.length)
    const shown = new Set(sessions.map(({ name }) => name.slice('Visitor '.length)))
    expect(made.filter((name) => !shown.has(name) && !spoke.has(name))).toEqual([])
  },
)
