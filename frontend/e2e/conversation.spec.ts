import { chat } from './support/owner'
import { replyWith } from './support/replies'
import { expect, long, test } from './support/test'

test(
  'acceptance 14: a conversation stands next to its list, with five turns in view',
  long,
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent({ name: 'Order desk', model: 'sandbox/free' })
    const { apiKey } = await owner.newExport(agent.id, 'Shop')
    for (let n = 1; n <= 5; n++) expect((await chat(apiKey, `Message ${n}`, 'talk')).status).toBe(200)
    expect((await chat(apiKey, 'Hello', 'other')).status).toBe(200)
    const reader = page.getByRole('complementary', { name: 'Conversation' })
    const turn = (n: number) => page.getByRole('article', { name: `Turn ${n}`, exact: true })
    const link = (name: string) => page.getByRole('link', { name: `Visitor ${name}` })

    await replyWith(page, 'One line.')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto('/activity/conversations')
    await link('talk').click()
    for (const n of [1, 5]) await expect(turn(n)).toBeInViewport({ ratio: 1 })
    await expect(link('other')).toBeInViewport({ ratio: 1 })
    await expect(reader.getByText('Started')).toBeHidden()
    await page.keyboard.press('k')
    await expect(reader.getByRole('heading', { name: 'Visitor other' })).toBeVisible()
    await page.keyboard.press('j')
    await expect(turn(5)).toBeVisible()
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect(reader.getByText('Started')).toBeInViewport()
    await page.keyboard.press('Escape')
    await expect(reader).toHaveCount(0)
    await expect(link('talk')).toBeFocused()

    // On paper there is the conversation alone.
    await link('talk').click()
    await page.emulateMedia({ media: 'print' })
    await expect(turn(1)).toBeVisible()
    await expect(page.getByText(/^.* · Printed /)).toBeVisible()
    for (const gone of [page.getByRole('navigation'), page.getByRole('button'), page.getByRole('table')])
      await expect(gone.filter({ visible: true })).toHaveCount(0)
    await page.emulateMedia({ media: 'screen' })

    await page.unrouteAll({ behavior: 'wait' })
    await replyWith(page, 'One.\nTwo.\nThree.')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await expect(turn(5)).toBeInViewport()
    expect((await turn(5).boundingBox())?.height).toBeLessThanOrEqual(190)
    await expect(link('other')).toBeHidden()
  },
)
