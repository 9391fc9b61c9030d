import type { Page } from '@playwright/test'
import { chat } from './support/owner'
import { expect, test } from './support/test'

const terms = '# Returns\n\nA grinder goes back within 30 days.\n\n# Shipping\n\nParcels leave at noon.'

const part = (page: Page) => page.getByRole('region', { name: 'Knowledge', exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** The browser remembers which parts are open. */
async function openKnowledge(page: Page) {
  const section = page.locator('#build-knowledge')
  if ((await section.getAttribute('open')) === null) await section.locator('summary').first().click()
  await expect(part(page)).toBeVisible()
}

async function addText(page: Page, name: string, text: string) {
  await part(page).getByRole('button', { name: 'Text', exact: true }).click()
  await dialog(page, 'New text').getByLabel('Name').fill(name)
  await dialog(page, 'New text').getByLabel('Text').fill(text)
  await dialog(page, 'New text').getByRole('button', { name: 'Add to draft' }).click()
  await expect(dialog(page, 'New text')).toHaveCount(0)
}

test('a text is added, found, cited in Try, published, and named to callers @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', publish: false })
  await page.goto(`/agents/${agent.id}`)
  await openKnowledge(page)
  await addText(page, 'Terms', terms)
  await expect(part(page).getByRole('button', { name: 'Terms' })).toBeVisible()
  await expect(part(page).getByText(/in full with every message/)).toBeVisible()

  await part(page).getByRole('textbox', { name: 'Question' }).fill('How many days for the grinder?')
  await page.keyboard.press('Enter')
  const found = part(page).getByRole('list', { name: 'Matching passages' }).getByRole('listitem').first()
  await expect(found.locator('mark', { hasText: 'grinder' })).toBeVisible()

  // The sandbox repeats a message, and so what it cites.
  await page.getByRole('textbox', { name: 'Message' }).fill('How long can a grinder go back? [1]')
  await page.getByRole('button', { name: 'Send' }).click()
  const log = page.getByRole('log')
  await expect(log.getByRole('region', { name: 'Sources' })).toContainText('[1] Terms')
  await log.getByRole('button', { name: 'What the model saw' }).click()
  const given = log.getByRole('region', { name: 'Knowledge' })
  await given.locator('summary').first().press('Enter')
  await expect(given).toContainText('A grinder goes back within 30 days.')
  await log.getByRole('link', { name: 'Terms' }).click()
  await expect(dialog(page, 'Terms').getByRole('region', { name: 'Extracted text' })).toContainText(
    'Parcels leave at noon.',
  )
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Terms')).toHaveCount(0)

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await expect(part(page).getByText('Draft, version 1')).toBeVisible()
  const { apiKey } = await owner.newExport(agent.id, 'Shop')
  const { status, body } = await chat(apiKey, 'May I return it? [1]', 'customer-7')
  expect(status).toBe(200)
  expect(body.sources).toMatchObject([{ n: 1, name: 'Terms' }])

  await part(page).getByRole('table').getByRole('button', { name: 'Terms' }).click()
  await dialog(page, 'Terms').getByRole('button', { name: 'Delete everywhere' }).click()
  const question = dialog(page, 'Delete “Terms” everywhere?')
  await expect(question).toContainText('from the draft and version 1')
  await question.getByRole('button', { name: 'Delete everywhere' }).click()
  await expect(part(page).getByText(/^Add what the agent should know/)).toBeVisible()
  expect((await chat(apiKey, 'And now? [1]', 'customer-7')).body.sources ?? []).toEqual([])
  await page.goto(`/agents/${agent.id}/activity/conversations`)
  await page.getByRole('link', { name: 'customer-7' }).click()
  const turn = page.getByRole('article', { name: 'Turn 1', exact: true })
  await expect(turn.getByRole('region', { name: 'Sources' })).toContainText('[1] Terms (since deleted)')
})

test('knowledge is worked with by keyboard on a phone @long', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', publish: false })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/agents/${agent.id}`)
  await openKnowledge(page)
  await addText(page, `Terms ${'W'.repeat(180)}`, terms)
  const row = part(page).getByRole('button', { name: /^Terms W/ })
  await row.press('Enter')
  await expect(page.getByRole('region', { name: 'Extracted text' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row).toBeFocused()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('files are dropped and chosen, read by the service, found, and replaced', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', publish: false })
  await page.goto(`/agents/${agent.id}`)
  await openKnowledge(page)
  const dropped = await page.evaluateHandle((text) => {
    const files = new DataTransfer()
    files.items.add(new File([text], 'Terms.md'))
    files.items.add(new File(['PK'], 'Prices.xlsx'))
    return files
  }, terms)
  await part(page).dispatchEvent('dragover', { dataTransfer: dropped })
  await part(page).dispatchEvent('drop', { dataTransfer: dropped })
  const sent = part(page).getByRole('list', { name: 'Files being added' })
  await expect(sent).toContainText('Prices.xlsx')
  await expect(sent).toContainText('This file type isn’t supported.')
  await sent.getByRole('button', { name: 'Dismiss Prices.xlsx' }).click()
  const row = (name: string) => part(page).getByRole('row').filter({ hasText: name })
  await expect(row('Terms.md')).toContainText('82 bytes')

  const scan = { name: 'Scan.csv', mimeType: 'text/csv', buffer: Buffer.from('\n \n') }
  await part(page).locator('input[type=file]').setInputFiles(scan)
  await expect(row('Scan.csv')).toContainText('The file has no text.')
  await row('Scan.csv').getByRole('button', { name: 'Retry' }).click()
  await expect(row('Scan.csv')).toContainText('The file has no text.')
  await row('Scan.csv').getByRole('button', { name: 'Scan.csv', exact: true }).click()
  await dialog(page, 'Scan.csv').getByRole('button', { name: 'Replace file' }).click()
  const replacing = dialog(page, 'Replace file')
  await replacing.locator('input[type=file]').setInputFiles({ ...scan, buffer: Buffer.from('cup,4 EUR\n') })
  await replacing.getByRole('button', { name: 'Replace in draft' }).click()
  await expect(dialog(page, 'Scan.csv').getByRole('region', { name: 'Extracted text' })).toContainText('4 EUR')
  await page.keyboard.press('Escape')

  const names = { name: 'Names.csv', mimeType: 'text/csv', buffer: Buffer.from('Name\nSauna\nRep\xf5', 'latin1') }
  await part(page).locator('input[type=file]').setInputFiles(names)
  await expect(row('Names.csv')).toContainText('The encoding is not certain.')
  await row('Names.csv').getByRole('button', { name: 'Names.csv' }).click()
  const doubtful = dialog(page, 'Names.csv')
  await doubtful
    .getByRole('radiogroup', { name: 'Which text is right?' })
    .getByRole('radio', { name: 'Repő' })
    .first()
    .check()
  await doubtful.getByRole('button', { name: 'Use this encoding' }).click()
  await expect(doubtful.getByRole('region', { name: 'Extracted text' })).toContainText('Repő')
  await page.keyboard.press('Escape')

  await part(page).getByRole('button', { name: 'Import Q&A from CSV' }).click()
  const csv = {
    name: 'Answers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Question;Answer\nOpen today?;"Yes; until six."\nWhen?;\n'),
  }
  await dialog(page, 'Import Q&A from CSV').locator('input[type=file]').setInputFiles(csv)
  await page.getByRole('button', { name: 'Add 1 answer' }).click()
  await expect(page.getByRole('alert')).toHaveText('1 answer added, 1 failed:')
  await page.keyboard.press('Enter')

  const found = part(page).getByRole('list', { name: 'Matching passages' })
  for (const [question, name] of [
    ['How many days for the grinder?', 'Terms.md'],
    ['A cup?', 'Scan.csv'],
    ['Are you open?', 'Open today?'],
  ] as const) {
    await part(page).getByRole('textbox', { name: 'Question' }).fill(question)
    await page.keyboard.press('Enter')
    await expect(found.getByRole('listitem').first()).toContainText(name)
  }
})
