import { type Browser, chromium, type Page } from '@playwright/test'
import { newAccount } from './support/accounts'
import { channels, createExport } from './support/channels'
import { findChromium } from './support/chromium'
import { Owner } from './support/owner'
import { addresses, expect, full, signIn, test } from './support/test'

// A name that is neither localhost nor https: to the browser it is not secure, and navigator.clipboard does not exist there.
const host = 'panel.test'
const origin = () => `http://${host}:${new URL(addresses().panel).port}`

let browser: Browser

test.beforeAll(async () => {
  const found = findChromium()
  const rules = `--host-resolver-rules=MAP ${host} 127.0.0.1`
  browser = await chromium.launch({ ...found, args: [...found.args, rules], chromiumSandbox: false })
})
test.afterAll(() => browser.close())

/** An agent's Channels drawer under the other name, in a browser window of its own. */
async function openThere(beforeScripts?: () => void) {
  const account = newAccount()
  const agent = await (await Owner.signIn(account)).newAgent()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    // The browser's own remark about a header that it follows on https alone.
    if (message.text().startsWith('The Cross-Origin-Opener-Policy header has been ignored')) return
    if (message.type() === 'error') problems.push(message.text())
  })
  if (beforeScripts) await page.addInitScript(beforeScripts)
  await page.goto(`${origin()}/agents/${agent.id}?node=channels`)
  await signIn(page, account)
  await expect(channels(page)).toBeVisible()
  expect(await page.evaluate(() => [window.isSecureContext, 'clipboard' in navigator])).toEqual([false, false])
  const field = await context.newPage()
  await field.setContent('<textarea aria-label="Pasted"></textarea>')
  return { page, field, problems, close: () => context.close() }
}

/** What the clipboard gives to somebody who pastes. */
async function pasted(field: Page): Promise<string> {
  await field.bringToFront()
  const area = field.getByLabel('Pasted')
  await area.fill('')
  await area.press('Control+V')
  return area.inputValue()
}

test('acceptance 4: on plain http under another name the key and all else is copied', full(), async () => {
  const { page, field, problems, close } = await openThere()
  const key = await createExport(page, 'Website')
  const drawer = channels(page)
  const programs = drawer.getByRole('region', { name: 'Program in cURL' })
  const things: [button: string, text: string | RegExp][] = [
    ['Copy key', key],
    ['Copy endpoint', `${origin()}/v1/agent/chat`],
    ['Copy cURL', (await programs.locator('code').textContent()) ?? ''],
    ['Copy instructions for your developer', new RegExp(`Address: POST ${origin()}/v1/agent/chat`)],
  ]
  for (const [name, text] of things) {
    await page.bringToFront()
    const button = drawer.getByRole('button', { name, exact: true })
    await button.focus()
    await button.press('Enter')
    await expect(drawer.getByRole('button', { name: 'Copied' })).toBeFocused()
    const got = await pasted(field)
    if (typeof text === 'string') expect(got, name).toBe(text)
    else expect(got, name).toMatch(text)
    // It says so for a while, and then offers it again.
    await expect(drawer.getByRole('button', { name: 'Copied' })).toHaveCount(0)
  }
  await page.bringToFront()
  await drawer.getByRole('button', { name: 'I have saved the key' }).click()
  expect(problems).toEqual([])
  await close()
})

const failures: Record<string, () => void> = {
  'is refused': () => {
    document.execCommand = () => false
  },
  'does nothing and says it did': () => {
    document.execCommand = () => true
  },
}

for (const [name, breakCopying] of Object.entries(failures)) {
  test(`acceptance 4: where copying ${name} it never says "Copied", and leaves the text selected`, full(), async () => {
    const { page, field, close } = await openThere(breakCopying)
    const key = await createExport(page, 'Website')
    const drawer = channels(page)
    const selection = () => page.evaluate(() => window.getSelection()?.toString())
    await drawer.getByRole('button', { name: 'Copy key' }).click()
    await expect(drawer.getByRole('button', { name: /^Copying failed/ })).toBeVisible()
    await expect(drawer.getByText('Copied')).toHaveCount(0)
    expect(await selection()).toBe(key)
    // What is selected is what Ctrl+C takes.
    await page.keyboard.press('Control+C')
    expect(await pasted(field)).toBe(key)

    // What is not on the screen is put there.
    await page.bringToFront()
    await drawer.getByRole('button', { name: 'Copy instructions for your developer' }).click()
    await expect(drawer.getByRole('region', { name: 'Instructions for your developer' })).toContainText('/api-docs')
    await expect.poll(selection).toContain(`Address: POST ${origin()}/v1/agent/chat`)
    await expect(drawer.getByText('Copied')).toHaveCount(0)
    await close()
  })
}
