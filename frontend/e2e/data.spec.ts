import { readFile } from 'node:fs/promises'
import { chat } from './support/owner'
import { proofTooOld } from './support/proof'
import { expect, test } from './support/test'

test('an owner downloads everything, and gives the conversations a retention @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const { apiKey } = await owner.newExport((await owner.newAgent({ name: 'Order desk' })).id)
  await chat(apiKey, 'Where is my parcel?', 'customer-1')
  await page.goto('/settings/data')
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const file = await coming
  await expect(page.getByText('Download started')).toBeVisible()
  expect(file.suggestedFilename()).toMatch(/^agentchat-[0-9a-f-]{36}\.jsonl$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ type: 'end', lines: lines.length - 1 })
  expect(lines.filter((line) => line.includes('Where is my parcel?'))).toHaveLength(1)

  await proofTooOld(page, 'updateAccount')
  await page.getByRole('textbox', { name: 'Days' }).fill('30')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
  await dialog.getByLabel('Your password').fill(owner.account.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Days' })).toHaveValue('30')
  expect((await owner.gql<{ viewer: { retentionDays: number } }>('{ viewer { retentionDays } }')).viewer).toEqual({
    retentionDays: 30,
  })
})
