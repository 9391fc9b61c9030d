import { expect, full, test } from './support/test'

test(
  'showing the last page of a list moves the focus to the first new row',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    for (let number = 1; number <= 52; number++) await owner.newAgent({ name: `Agent ${number}`, publish: false })
    await page.goto('/agents')
    const more = page.getByRole('button', { name: 'Show more' })
    await expect(more).toBeVisible()
    // The next page waits until the test has looked.
    let pass = () => {}
    const looked = new Promise<void>((resolve) => {
      pass = resolve
    })
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().variables?.after) await looked
      await route.continue()
    })
    await more.focus()
    await page.keyboard.press('Enter')
    await expect(more).toHaveAttribute('aria-busy', 'true')
    await expect(more).toBeFocused()
    pass()
    await expect(page.getByRole('link', { name: /^Agent \d+$/ })).toHaveCount(52)
    await expect(more).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Agent 2', exact: true })).toBeFocused()
  },
)
