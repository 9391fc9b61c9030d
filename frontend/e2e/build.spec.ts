import { expect, test } from './support/test'

test('acceptance 10: Build scrolls as one page, under a low head, and its editor grows with the text @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/agents/${agent.id}`)
  await expect(page.locator('[id^="build-"] > summary')).toHaveCount(7)
  const [name, tabs] = await Promise.all([
    page.getByRole('link', { name: 'Agents', exact: true }).last().boundingBox(),
    page.getByRole('navigation', { name: 'Pages of this agent' }).boundingBox(),
  ])
  expect((tabs?.y ?? 0) + (tabs?.height ?? 0) - (name?.y ?? 0)).toBeLessThan(100)
  const text = page.getByRole('textbox', { name: 'Instructions' })
  const height = async () => Math.round((await text.boundingBox())?.height ?? 0)
  const message = page.getByRole('textbox', { name: 'Message' })
  await expect(message).toBeInViewport({ ratio: 1 })
  expect(await height()).toBe(160)
  await text.fill('Line.\n'.repeat(300))
  await expect.poll(height).toBe(540)
  const scrolling = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter((one) => one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY))
        .map((one) => one.tagName),
    )
  expect(await scrolling()).toEqual(['TEXTAREA'])
  await page.mouse.move(400, 600)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect(message).toBeInViewport({ ratio: 1 })

  // F outside of a field, and Escape.
  await page.getByRole('heading', { name: 'Name and description' }).click()
  await page.keyboard.press('f')
  await expect(message).toBeHidden()
  await expect.poll(height).toBeGreaterThan(700)
  await page.keyboard.press('Escape')
  await expect(message).toBeVisible()
})
