import { addresses } from './support/target'
import { expect, test } from './support/test'

test('a token works for a program until its owner removes it @long', async ({
  strictPage: page,
  newOwner,
  request,
}) => {
  await newOwner()
  await page.goto('/settings/tokens')
  await page.getByLabel('Name').fill('Night job')
  await page.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('region', { name: 'Account token “Night job”' })
  const token = (await shown.getByTestId('api-key').textContent()) ?? ''
  expect(token).toMatch(/^agt_[0-9A-Za-z]{38}$/)
  await shown.getByRole('button', { name: 'I’ve saved the token' }).click()
  await expect(page.getByText(token)).toHaveCount(0)

  const ask = async () => {
    const answer = await request.post(`${addresses().panel}/graphql`, {
      headers: { Authorization: `Bearer ${token}` },
      data: { query: '{ viewer { viewerRole } }' },
    })
    return { status: answer.status(), body: await answer.text() }
  }
  expect(await ask()).toMatchObject({ status: 200, body: '{"data":{"viewer":{"viewerRole":"VIEWER"}}}' })
  await page.getByRole('button', { name: 'Revoke “Night job”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('No account tokens yet')).toBeVisible()
  expect((await ask()).status).toBe(401)
})

test('on a phone the link of the current page is in view, even the last one of its row @long', async ({
  strictPage: page,
  newOwner,
}) => {
  await newOwner()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/settings/tokens')
  await expect(page.getByRole('link', { name: 'Account tokens' })).toBeInViewport({ ratio: 0.9 })
  await page.goto('/settings/data')
  await expect(page.getByRole('link', { name: 'Data', exact: true })).toBeInViewport({ ratio: 0.9 })
})
