import type { Locator, Page } from '@playwright/test'
import { fromMenu } from '../../support/menu'
import { expect } from '../../support/test'
import { doubtful, longName, onlyDraft, scripts, unread } from '../knowing'
import { agent, press, publishing, type State, send, transcript } from '../state'

const part = (page: Page) => page.getByRole('region', { name: 'Knowledge', exact: true })
const unfold = async (page: Page) => {
  const section = page.locator('#build-knowledge')
  if ((await section.getAttribute('open')) === null) await section.locator('summary').first().click()
  await expect(part(page).getByRole('button', { name: 'Text', exact: true })).toBeVisible()
  await section.scrollIntoViewIfNeeded()
}
const source = async (page: Page, name: string) => {
  await part(page).getByRole('button', { name, exact: true }).first().click()
  if (name !== unread && name !== doubtful)
    await expect(page.getByRole('dialog').getByRole('region', { name: 'Extracted text' })).toBeVisible()
}
const ask = async (page: Page, question: string) => {
  await part(page).getByRole('textbox', { name: 'Question' }).fill(question)
  await page.keyboard.press('Enter')
  await expect(part(page).getByRole('status')).toHaveText(/passage/i)
}

const inBuild = (
  name: string,
  open: (page: Page) => Promise<unknown> = async () => {},
  as: State['as'] = 'knowing',
) => ({
  name: `knowledge${name}`,
  route: '/agents/$id',
  as,
  path: agent(),
  open: async (page: Page) => {
    await unfold(page)
    await open(page)
  },
})
const inLibrary = (name: string, open?: (page: Page) => Promise<unknown>): State => ({
  ...inBuild(`-library${name}`, open),
  path: ({ library }) => `/agents/${library}`,
})
const inSource = (name: string, open: (page: Page) => Promise<unknown>, of = 'Shipping and returns') =>
  inBuild(`-source${name}`, async (page) => {
    await source(page, of)
    await open(page)
  })
const pressIn = (name: string, title: RegExp) => async (page: Page) => {
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  await expect(page.getByRole('dialog', { name: title })).toBeVisible()
}
const version = (name: string, rest: string, open?: State['open']): State => ({
  name: `knowledge-${name}`,
  route: '/agents/$id/versions',
  as: 'knowing',
  path: agent(`/versions${rest}`),
  open,
})
const refusedText = async (page: Page, name: string, text: string) => {
  await press('Text')(page)
  const dialog = page.getByRole('dialog', { name: 'New text' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Text').fill(text)
  await dialog.getByRole('button', { name: 'Add to draft' }).click()
}

const chooseFiles = (scope: Locator, ...files: [name: string, text: string][]) =>
  scope
    .locator('input[type=file]')
    .setInputFiles(files.map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })))
const csv = async (page: Page, text: string) => {
  await press('Import Q&A from CSV')(page)
  await chooseFiles(page.getByRole('dialog'), ['Answers.csv', text])
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('answer')
}

/** What an agent knows: in Build, in Try, in transcripts and in versions. */
export const knowledge: State[] = [
  inBuild('-empty', undefined, 'ada'),
  inBuild(''),
  inBuild('-asked', (page) => ask(page, 'Can I send the grinder back after 20 days, and what does it cost?')),
  inBuild('-asked-in-vain', (page) => ask(page, 'Zzz?')),
  inBuild('-text-invalid', async (page) => {
    await refusedText(page, 'N'.repeat(201), ' ')
    await expect(page.getByRole('dialog').getByText('This field is required.')).toBeVisible()
  }),
  inBuild('-text-twice', async (page) => {
    await refusedText(page, 'Hours', 'We are open from 9:00 to 18:00. We are closed on 25 and 26 December.')
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText(onlyDraft)
  }),
  inBuild('-answer', press('Q&A')),
  inBuild('-answer-invalid', async (page) => {
    await press('Q&A')(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Add to draft' }).click()
    await expect(page.getByRole('dialog').getByText(/^Enter 1 to 20 questions/)).toBeVisible()
  }),
  inBuild('-files-refused', async (page) => {
    await chooseFiles(part(page), ['Prices.xlsx', 'PK'], [`${'Terms_and_conditions_'.repeat(9)}.docm`, 'PK'])
    await expect(part(page).getByText(/^This file type isn’t supported/)).toHaveCount(2)
  }),
  inBuild('-files-sent', async (page) => {
    await page.evaluate(() => {
      XMLHttpRequest.prototype.send = () => {} // they stay on their way
    })
    await chooseFiles(part(page), ['Prices 2027.csv', 'cup,4 EUR'], ['Manual.pdf', 'PDF'])
    await expect(part(page).getByText('Waiting to upload')).toBeVisible()
  }),
  inBuild('-csv', press('Import Q&A from CSV')),
  inBuild('-csv-chosen', (page) => csv(page, 'Question,Answer\nMay I return tea?,No.\nWhy?,\n')),
  inBuild('-csv-bad', async (page) => {
    await csv(page, `May I?,No.\n${',x\n'.repeat(40)}`)
    await expect(page.getByRole('dialog').getByText('40 rows skipped')).toBeVisible()
  }),
  inBuild('-unused', press('Delete sources used only by old versions')),
  inSource('', async () => {}),
  inSource('-edit', pressIn('Edit', /^Edit/)),
  inSource('-answer-edit', pressIn('Edit', /^Edit/), 'Can I pay with two gift cards?'),
  inSource('-remove', pressIn('Remove from draft', /^Remove/), onlyDraft),
  inSource(
    '-unread',
    async (page) => {
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Retry' })).toBeVisible()
    },
    unread,
  ),
  inSource(
    '-doubtful',
    async (page) => {
      await expect(page.getByRole('dialog').getByRole('radiogroup')).toBeVisible()
    },
    doubtful,
  ),
  inSource('-replace', pressIn('Replace file', /^Replace/), 'Guarantee.md'),
  inSource('-delete', pressIn('Delete everywhere', /^Delete/)),
  inLibrary(''),
  inLibrary('-pages', async (page) => {
    await part(page).getByRole('button', { name: 'Show more' }).click()
    await expect(part(page).getByRole('button', { name: 'Branch 01' })).toBeVisible()
  }),
  inLibrary('-asked', (page) => ask(page, 'When does branch 7 open, and what of the grinder? 退货期限 الإرجاع')),
  inLibrary('-long', (page) => source(page, longName)),
  inLibrary('-right-to-left', (page) => source(page, scripts[0].name)),
  inLibrary('-chinese', (page) => source(page, scripts[1].name)),
  inLibrary('-text', (page) => source(page, 'All rules')),
  {
    name: 'try-knowledge',
    route: '/agents/$id',
    as: 'knowing',
    path: agent('?try=window'),
    open: async (page) => {
      await send(page, 'Can I pay with two gift cards, and send a grinder back? [1] [2]')
      await expect(page.getByRole('log').getByRole('region', { name: 'Sources' })).toBeVisible()
      await page.getByRole('button', { name: 'What the model saw' }).click()
      await page.getByRole('region', { name: 'Knowledge' }).locator('summary').first().click()
    },
  },
  {
    name: 'conversation-knowledge',
    route: '/activity/conversations/$id',
    as: 'knowing',
    path: transcript,
    open: async (page) => {
      await page.getByRole('button', { name: 'What the model saw' }).first().click()
      const folded = page.getByRole('region', { name: 'Knowledge' }).locator('details:not([open]) > summary')
      await expect(folded.first()).toBeVisible()
      while ((await folded.count()) > 0) await folded.first().click()
    },
  },
  {
    name: 'publish-knowledge',
    route: '/agents/$id',
    as: 'knowing',
    path: agent(),
    open: publishing,
  },
  {
    name: 'discard-knowledge',
    route: '/agents/$id',
    as: 'knowing',
    path: agent(),
    open: async (page) => {
      await fromMenu(page, 'Discard changes')
      await expect(page.getByRole('dialog').getByText(onlyDraft).first()).toBeVisible()
    },
  },
  version('versions', '?open=2'),
  version('draft', '?open=3&against=draft'),
  version('restore', '', async (page) => {
    await press('Actions for version 1', 'menu')(page)
    await page.getByRole('menuitem', { name: 'Restore to draft' }).click()
    await expect(page.getByRole('dialog').getByText(onlyDraft).first()).toBeVisible()
  }),
]
