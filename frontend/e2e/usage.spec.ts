import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { parseCsv } from './support/csv'
import { chat, type Owner } from './support/owner'
import { expect, long, test } from './support/test'

const rows = (page: Page) => page.locator('tbody tr')
const numberOf = (text: string) => Number(text.replaceAll(',', ''))
/** The index of a column, which depends on what is shown. */
const place = async (page: Page, name: string) => (await page.getByRole('columnheader').allInnerTexts()).indexOf(name)
const numbers = async (page: Page, name: string) =>
  (
    await rows(page)
      .locator(`td:nth-child(${(await place(page, name)) + 1})`)
      .allInnerTexts()
  ).map(numberOf)
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

/** Makes two agents with an export each, answered, failed and refused requests, and a test message. */
async function used(owner: Owner) {
  const desk = await owner.newAgent({ name: 'Order desk', model: 'sandbox/assistant' })
  const returns = await owner.newAgent({ name: 'Returns', model: 'sandbox/assistant' })
  const till = await owner.newExport(desk.id, 'Till')
  const portal = await owner.newExport(returns.id, 'Portal')
  for (const at of [1, 2, 3, 4]) await chat(till.apiKey, 'Hello', `s-${at}`, { user_id: `user-${at % 2}` })
  await chat(portal.apiKey, 'Hello', 'r-1')
  for (const at of [1, 2]) expect((await chat(portal.apiKey, '[[sandbox fail=error]]', `f-${at}`)).status).toBe(502)
  for (const _ of [1, 2, 3]) expect((await chat(till.apiKey, '', 's-1')).status).toBe(400)
  await owner.sendTestMessage(desk.id, 'Hello', 'test')
  return { desk, returns, till, portal }
}

test(
  'sums agree with the ledger in every split, lead to their requests, and add up in the CSV',
  long,
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner({ credits: 100 })
    const { returns } = await used(owner)
    const { viewer } = await owner.gql<{ viewer: { creditHistory: { nodes: { kind: string; amount: number }[] } } }>(
      '{ viewer { creditHistory(first: 100) { nodes { kind amount } } } }',
    )
    const charges = viewer.creditHistory.nodes.filter(({ kind }) => kind === 'CHARGE')
    const charged = -total(charges.map(({ amount }) => amount))
    expect(charged).toBe(6)
    // Failed requests are counted and refused ones recorded within seconds; a range of two days is read again at once.
    const today = await page.evaluate(() => new Date().toLocaleDateString('sv'))
    await page.goto(`/usage?range=own&from=${today}&to=${today}`)
    await expect(
      page.getByRole('heading', { name: `${charged} credits for ${charges.length} messages`, exact: true }),
    ).toBeVisible()
    const foot = async (name: string) =>
      numberOf(
        await page
          .locator('tfoot tr > *')
          .nth(await place(page, name))
          .innerText(),
      )
    await expect.poll(async () => [await foot('Failed'), await foot('Rejected')], { timeout: 15_000 }).toEqual([2, 3])
    for (const range of ['This month', 'Custom']) {
      await page.getByRole('radiogroup', { name: 'Period' }).getByText(range, { exact: true }).click()
      for (const split of ['API export', 'Model', 'User', 'Result', 'Agent']) {
        await page.getByRole('combobox', { name: 'Group by' }).click()
        await page.getByRole('option', { name: split, exact: true }).click()
        await expect(page.getByRole('columnheader').first()).toHaveText(split)
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
        const byResult = [
          ['Credits', charged],
          ['Requests', charges.length + 2 + 3],
        ] as const
        const byOthers = [
          ['Credits', charged],
          ['Messages', charges.length],
          ['Failed', 2],
          ['Rejected', 3],
        ] as const
        for (const [column, sum] of split === 'Result' ? byResult : byOthers) {
          expect(total(await numbers(page, column)), `${range} by ${split}, ${column}`).toBe(sum)
          expect(await foot(column)).toBe(sum)
        }
      }
    }
    await page.getByRole('button', { name: 'Rejected' }).click()
    await expect(rows(page).first()).toContainText('Order desk')
    await expect(page).toHaveURL(/sort=-refused/)

    const row = page.getByRole('row').filter({ hasText: 'Returns' })
    await row.getByRole('link', { name: 'Returns' }).click()
    await expect(page).toHaveURL(`/agents/${returns.id}`)
    await page.goBack()
    await row.getByRole('link', { name: '2', exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`/activity/requests\\?agentId=${returns.id}&.*outcome=FAILED`))
    await expect(page.getByText('2 requests', { exact: true })).toBeVisible()
    await page.goBack()
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const [header = [], ...records] = parseCsv(
      await readFile(await (await coming).path(), 'utf8').then((text) => text.slice(1)),
    )
    expect(header).toEqual([
      'start',
      'agentId',
      'agent',
      'messages',
      'failed',
      'refused',
      'credits',
      'inputTokens',
      'outputTokens',
    ])
    expect(total(records.map((record) => Number(record[6])))).toBe(6)
    expect(records.filter((record) => record[1] === returns.id).map((record) => record.slice(2, 5))).toEqual([
      ['Returns', '1', '2'],
    ])
  },
)

test('paper has no navigation, no filters and no buttons, but all figures @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner({ credits: 100 })
  await used(owner)
  for (const address of ['/usage', '/usage/credits']) {
    await page.goto(address)
    await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
    await expect(rows(page).first()).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    for (const role of ['navigation', 'search'] as const) {
      await expect(page.getByRole(role)).toHaveCount(0)
    }
    await expect(page.getByRole('button', { name: /Print|Download/ })).toHaveCount(0)
    await expect(rows(page).first()).toBeVisible()
    await expect(page.getByText(/Printed /)).toBeVisible()
    await page.emulateMedia({ media: 'screen' })
  }
})
