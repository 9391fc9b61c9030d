import { expect, mailFor, test } from './support/mail'
import { signIn } from './support/test'

/** The link of a page in a mail's text. */
const linkIn = (text: string | undefined, page: string) =>
  new RegExp(`\\S+/${page}#\\S*token=[\\w-]{43}`).exec(text ?? '')?.[0] ?? ''

test('a mailed link and the password complete the sign-up, which looks the same for known addresses @long', async ({
  strictPage: page,
  inbox,
}) => {
  const account = { email: 'new@example.com', password: 'a password of this test' }
  const signUp = async (password: string) => {
    await page.goto('/signup')
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Email').fill(account.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign up' }).click()
    return page.getByRole('status').innerText()
  }
  const said = await signUp(account.password)
  const link = linkIn((await mailFor(inbox, account.email, 'Open your account for Agent Chat')).text, 'verify')

  // The account exists only once the link was opened with the password.
  await page.goto('/login')
  await signIn(page, account)
  await expect(page.getByText('Wrong email or password.')).toBeVisible()
  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Activate account' }).click()
  await expect(page.getByText('That’s not the password you chose when you signed up.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Activate account' }).click()
  await expect(page.getByRole('status')).toContainText('Your account is active.')

  await page.goto('/login')
  await signIn(page, account)
  await expect(page).not.toHaveURL(/\/login/)
  await page.goto('/settings')
  await expect(page.getByText(account.email)).toBeVisible()
  await expect(page.getByText('Not verified')).toBeHidden()

  await page.context().clearCookies()
  expect(await signUp('a password of another person')).toBe(said)
  await mailFor(inbox, account.email, 'You already have an account for Agent Chat')
})

test('an address is confirmed, changed and restored by mailed links @long', async ({
  strictPage: page,
  newOwner,
  inbox,
  browser,
  baseURL,
}) => {
  const { account } = await newOwner()
  const next = `next-${account.email}`
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Send verification link' }).click()
  const confirm = linkIn((await mailFor(inbox, account.email, 'Confirm your address for Agent Chat')).text, 'verify')
  const context = await browser.newContext({ baseURL })
  const elsewhere = await context.newPage()
  await elsewhere.goto(confirm)
  await elsewhere.getByRole('button', { name: 'Confirm email' }).click()
  await expect(elsewhere.getByRole('alert')).toContainText('Sign in first, then open the link in the email again.')
  await page.goto(confirm)
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await expect(page.getByRole('status')).toContainText('Email confirmed.')
  await page.goto('/settings')
  await expect(page.getByText(account.email)).toBeVisible()
  await expect(page.getByText('Not verified')).toBeHidden()

  await page.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change your email' })
  await dialog.getByLabel('New email').fill(next)
  await dialog.getByLabel('Your password').fill(account.password)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText(`We sent a link to ${next}.`)).toBeVisible()
  await page.goto(linkIn((await mailFor(inbox, next, 'Confirm your new address for Agent Chat')).text, 'verify'))
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await expect(page.getByRole('status')).toContainText('Email confirmed.')
  await page.goto('/settings')
  await expect(page.getByText(next)).toBeVisible()

  const notice = await mailFor(inbox, account.email, 'Your address for Agent Chat was changed')
  await elsewhere.goto(linkIn(notice.text, 'undo-address'))
  await elsewhere.getByRole('button', { name: 'Restore address' }).click()
  await expect(elsewhere.getByRole('status')).toContainText('Address restored.')
  await context.close()
  await page.reload()
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, account)
  await expect(page.getByText('Wrong email or password.')).toBeVisible()
  const reset = await mailFor(inbox, account.email, 'Set a new password for Agent Chat')
  await page.goto(linkIn(reset.text, 'reset'))
  await page.getByLabel('New password').fill('a password of tomorrow')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Password changed.')).toBeVisible()
  await page.goto('/login')
  await signIn(page, { ...account, password: 'a password of tomorrow' })
  await page.getByRole('button', { name: /^Account/ }).click()
  await expect(page.getByText(account.email)).toBeVisible()
})
