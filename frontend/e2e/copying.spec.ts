import { channels, createExport } from './support/channels'
import { otherHost } from './support/chromium'
import { addresses, expect, test } from './support/test'

test('acceptance 4: on plain http a key and a program are copied, or selected when they cannot be @long', async ({
  page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  const office = new URL(addresses().panel)
  office.hostname = otherHost
  await page.context().addCookies(owner.cookies(office.origin))
  // The clipboard itself, which only a page in a secure context can read.
  const reader = await page.context().newPage()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: addresses().panel })
  await reader.goto('/favicon.svg')
  const clipboard = async () => {
    await reader.bringToFront()
    const text = await reader.evaluate(() => navigator.clipboard.readText())
    await page.bringToFront()
    return text
  }

  await page.goto(`${office.origin}/agents/${agent.id}/channels`)
  expect(await page.evaluate(() => [isSecureContext, 'clipboard' in navigator])).toEqual([false, false])
  const key = await createExport(page, 'Website')
  const tab = channels(page)
  const code = tab.getByRole('region', { name: 'First call' }).getByRole('code')
  const program = await code.innerText()
  expect(program).toContain(`${office.origin}/v1/agent/chat`)
  for (const [name, text] of [
    ['Copy key', key],
    ['Copy command', program],
  ] as const) {
    const button = tab.getByRole('button', { name })
    await button.click()
    await expect(tab.getByRole('button', { name: 'Copied' })).toHaveCount(1)
    expect(await clipboard()).toBe(text)
    await expect(button).toBeVisible()
  }

  // A browser that lets no page write says that it has, and does nothing.
  await page.evaluate(() => {
    document.execCommand = () => true
  })
  await reader.evaluate(() => navigator.clipboard.writeText('as it was'))
  for (const [failed, [name, text]] of [
    ['Copy key', key],
    ['Copy command', program],
    ['Copy setup instructions', ''], // which nothing shows
  ].entries()) {
    await tab.getByRole('button', { name }).click()
    await expect(tab.getByRole('button', { name: /^Couldn’t copy\. Select the text/ })).toHaveCount(failed + 1)
    expect(await clipboard()).toBe('as it was')
    await page.keyboard.press('Control+C')
    if (text) expect(await clipboard()).toBe(text)
    else expect(await clipboard()).toContain(`Endpoint: POST ${office.origin}/v1/agent/chat`)
    await reader.evaluate(() => navigator.clipboard.writeText('as it was'))
  }
})
