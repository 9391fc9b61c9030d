import { chat, Owner } from './support/owner'
import { expect, signIn, test } from './support/test'

test('a changed password is the one that counts, and ends every other sign-in @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const { account } = await newOwner()
  const elsewhere = await Owner.signIn(account)
  await page.goto('/settings/security')
  await page.getByLabel('Current password').fill('not the password')
  await page.getByLabel('New password').fill(account.email)
  const change = page.getByRole('button', { name: 'Change password' })
  await change.click()
  await expect(page.getByText('This password is too common.')).toBeVisible()
  await page.getByLabel('New password').fill('a password of tomorrow')
  await change.click()
  await expect(page.getByText('That’s not your current password.')).toBeVisible()
  expect(await elsewhere.gql('{ viewer { id } }')).toBeTruthy()
  await page.getByLabel('Current password').fill(account.password)
  await change.click()
  await expect(page.getByText('Password changed. You’re signed out everywhere else.')).toBeVisible()
  await expect(elsewhere.gql('{ viewer { id } }')).rejects.toThrow('UNAUTHENTICATED')
  await expect(Owner.signIn(account)).rejects.toThrow('INVALID_CREDENTIALS')
  await Owner.signIn({ ...account, password: 'a password of tomorrow' })
})

test('a sign-in that is ended elsewhere is sent to sign in, and comes back to its page @long', async ({
  strictPage: page,
  newOwner,
  browser,
  baseURL,
}) => {
  const { account } = await newOwner()
  const context = await browser.newContext({ baseURL })
  const other = await context.newPage()
  await other.goto('/usage/credits')
  await signIn(other, account)
  await expect(other.getByRole('heading', { name: 'Usage & credits', level: 1 })).toBeVisible()

  await page.goto('/settings/security')
  const end = page.getByRole('button', { name: /^Sign out .* at / })
  await expect(end).toHaveCount(1)
  await end.click()
  const dialog = page.getByRole('dialog', { name: /^Sign out .*\?$/ })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Sign out' }).click()
  await expect(end).toHaveCount(0)

  await other.getByRole('link', { name: 'Agents' }).click()
  await expect(other).toHaveURL(/\/login\?next=%2Fagents&reason=expired$/)
  await signIn(other, account)
  await expect(other).toHaveURL(/\/agents$/)
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await context.close()
})

test('a deleted account is gone at once: its key, its sign-ins and its password @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  const { apiKey } = await owner.newExport(agent.id)
  expect((await chat(apiKey, 'Hello')).status).toBe(200)
  await page.goto('/settings/data')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  const password = dialog.getByLabel('Your password')
  await expect(password).toBeFocused()
  const confirm = dialog.getByRole('button', { name: 'Delete account' })

  await password.fill('not the password')
  await confirm.click()
  await expect(dialog.getByText('That’s not your current password.')).toBeVisible()
  expect((await chat(apiKey, 'Hello')).status).toBe(200)

  await password.fill(owner.account.password)
  await confirm.click()
  await expect(page).toHaveURL(/\/login$/)
  const notice = page.getByRole('group').filter({ hasText: 'Your account has been deleted.' })
  await expect(notice).toBeVisible()
  expect((await chat(apiKey, 'Hello')).status).toBe(401)
  await expect(owner.gql('{ viewer { id } }')).rejects.toThrow('UNAUTHENTICATED')

  await signIn(page, owner.account)
  await expect(page.getByText('Wrong email or password.')).toBeVisible()
  await notice.getByRole('button', { name: 'Close' }).click()
  await expect(notice).toHaveCount(0)
  await page.goto('/settings')
  await expect(page).toHaveURL(/\/login\?next=%2Fsettings$/)
})
