import { newAccount } from './support/accounts'
import { addresses, expect, signIn, test } from './support/test'
import { wireTo } from './support/wire'

const recovery = { timeout: 30_000 }

test('acceptance 16: a service that cannot be reached is reported, and the panel recovers without a reload @long', async ({
  page,
  newOwner,
}) => {
  const owner = await newOwner()
  await owner.newAgent({ name: 'Order desk' })
  const wire = await wireTo(addresses().panel)
  const link = (name: string) => page.getByRole('link', { name, exact: true }).first()
  await page.goto(`${wire.url}/exports`)
  await expect(page.getByRole('heading', { name: 'API exports', level: 1 })).toBeVisible()
  await link('Agents').click()
  await expect(link('Order desk')).toBeVisible()
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))

  await wire.close()
  await page.getByText('Draft', { exact: true }).click()
  const trouble = page.getByRole('alert').filter({ hasText: 'Couldn’t load this' })
  await expect(trouble).toContainText('Can’t reach the service.')
  await expect(trouble).toContainText(/panel-[0-9a-f]{32}/)
  await expect(trouble.getByRole('button', { name: 'Retry' })).toBeVisible()
  await link('Agents').click()
  await expect(link('Order desk'), 'what was there stays').toBeVisible()

  const again = await wireTo(addresses().panel, Number(new URL(wire.url).port))
  await expect(page.getByText('Can’t reach the service.')).toHaveCount(0, recovery)
  await expect(link('Order desk')).toBeVisible()
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
  await again.close()
})

test('acceptance 14 and 16: what could not be saved stays in the form, with the request ID, and is asked about @long', async ({
  page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await page.goto(`/agents/${agent.id}?node=agent`)
  const text = page.getByRole('textbox', { name: 'Instructions' })
  await text.fill('Typed with care.')
  await page.route('**/graphql', (route) => route.abort())
  const alert = page.getByRole('alert').filter({ hasText: 'Can’t reach the service.' }).filter({ hasText: 'panel-' })
  await expect(alert).toContainText(/panel-[0-9a-f]{32}/)
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => void setTimeout(() => location.reload()))
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await expect(text).toHaveValue('Typed with care.')
  await page.unroute('**/graphql')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByTestId('save-state')).toHaveText('Saved')
  await expect(alert).toHaveCount(0)
  page.on('dialog', () => expect(null, 'asked about what is saved').toBe('nothing'))
  await page.reload()
  await expect(text).toHaveValue('Typed with care.')
})

test('what was typed survives reloads while the service is away, and is saved; signing out drops it @long', async ({
  page,
  newOwner,
}) => {
  const owner = await newOwner()
  const other = newAccount()
  const agent = await owner.newAgent()
  const wire = await wireTo(addresses().panel)
  const address = `${wire.url}/agents/${agent.id}?node=agent`
  const instructions = page.getByRole('textbox', { name: 'Instructions' })
  const state = page.getByTestId('save-state')
  const newText = page.getByRole('dialog', { name: 'New text' })
  const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft/')))
  const fails = async (outcome: Promise<unknown>) => expect(await outcome.catch(() => 'failed')).toBe('failed')
  page.on('dialog', (question) => question.accept())
  await page.goto(address)
  await page.locator('#build-knowledge > summary').click()
  await expect(page.getByRole('button', { name: 'Text', exact: true })).toBeVisible()

  await wire.close()
  await instructions.fill('Typed with care.')
  await expect(state).toHaveText('Not saved')
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  await newText.getByRole('textbox', { name: 'Text' }).fill('Within 30 days.')
  await fails(page.reload())
  // The browser's own page has come in its place: before that, the next address would be asked about as well.
  await expect(page).toHaveURL(/^chrome-error:/)
  const again = await wireTo(addresses().panel, Number(new URL(wire.url).port))
  const updates: number[] = []
  page.on('response', async (response) => {
    if (response.request().postData()?.includes('UpdateAgent')) updates.push(response.status())
  })
  await page.goto(address)
  await expect(newText.getByRole('textbox', { name: 'Text' })).toHaveValue('Within 30 days.')
  await expect(instructions).toHaveValue('Typed with care.')
  await expect(state).toHaveText('Saved')
  expect(updates).toEqual([200])
  expect(await drafts()).toEqual([expect.stringMatching(/^draft\/.*\/text$/)])
  await newText.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('textbox', { name: 'Message' }).fill('Of the first user.')
  await expect.poll(drafts).toEqual([expect.stringMatching(/^draft\/.*\/try$/)])
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, other)
  await expect(page).not.toHaveURL(/\/login/)
  expect(await drafts()).toEqual([])
  await again.close()
})
