import { Keyboard } from './support/keyboard'
import { expect, full, test } from './support/test'
import { trouble } from './support/trouble'

test(
  'acceptance 27: every page can be walked through by keyboard, with the focus in sight',
  full(),
  async ({ strictPage: page, newOwner }) => {
    test.setTimeout(180_000)
    const owner = await newOwner()
    const { desk } = await trouble(owner)
    const keyboard = new Keyboard(page)
    const agent = `/agents/${desk.id}`
    const pages: [address: string, ready: string, stops: (string | RegExp)[]][] = [
      [
        '/',
        'Needs attention',
        ['24 hours', /^Messages/, /^Success rate/, 'Versions of Order desk', 'All conversations'],
      ],
      ['/conversations', 'customer-1', ['Failed only', 'Download CSV', 'customer-1']],
      ['/requests', 'model_error', ['Request ID or session ID', 'Download CSV']],
      ['/usage', 'Order desk', ['30 days', 'Agent', 'Download CSV']],
      ['/exports', 'Till', ['Name or key', 'In use', 'Till']],
      [agent, 'Instructions', [/^Channels/, 'Instructions', /^Variables/, 'Message', 'Past tests']],
      [`${agent}/channels`, 'Exports in use', ['Name (optional)', 'Create API Export', 'Edit “Till”']],
      [`${agent}/conversations`, 'customer-1', ['Failed only', 'customer-1']],
      [`${agent}/usage`, 'Till', ['Export', 'Download CSV']],
      [`${agent}/versions`, 'Version 1', ['Show content']],
    ]
    for (const [address, ready, stops] of pages) {
      await test.step(address, async () => {
        await page.goto(address)
        await expect(page.getByText(ready).first()).toBeVisible()
        const passed = await keyboard.walk()
        for (const stop of stops) {
          const found = passed.some((name) =>
            typeof stop === 'string' ? name.trim() === stop : stop.test(name.trim()),
          )
          expect(found, `${address} lets the focus stop at ${stop}; it passed\n${passed.join('\n')}`).toBe(true)
        }
      })
    }
  },
)

test(
  'acceptance 27: a request, a conversation and the palette are opened and left by keyboard',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    await trouble(owner)
    await page.goto('/requests?outcome=FAILED')
    await expect(page.getByText('3 requests', { exact: true })).toBeVisible()
    const first = page.getByRole('row').nth(1).getByRole('link')
    await first.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByText('Request ID')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goto('/conversations')
    await expect(page.getByRole('link', { name: 'return-4' })).toBeVisible()
    await page.getByRole('link', { name: 'return-4' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'return-4' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(page.getByPlaceholder('Pages, agents, exports, IDs or words')).toBeFocused()
    await page.keyboard.type('Usage')
    await expect(page.getByRole('dialog').getByText('Usage', { exact: true }).first()).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/usage$/)
  },
)
