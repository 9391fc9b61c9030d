import { expect, mailFor, test } from './support/mail'
import { Owner } from './support/owner'
import { signIn } from './support/test'

const newPassword = 'a password of tomorrow'

test('a forgotten password is replaced with a link in a mail, which works once @long', async ({
  strictPage: page,
  newOwner,
  inbox,
  browser,
  baseURL,
}) => {
  const { account } = await newOwner()
  await page.goto('/settings')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()

  // Another browser, whose user has forgotten the password.
  const context = await browser.newContext({ baseURL })
  const other = await context.newPage()
  await other.goto('/login')
  await other.getByRole('link', { name: 'Forgot your password?' }).click()
  await other.getByLabel('Email').fill(account.email)
  await other.getByRole('button', { name: 'Send link' }).click()
  await expect(other.getByRole('status')).toContainText(`If ${account.email} has an account`)

  const mail = await mailFor(inbox, account.email, 'Set a new password for Agent Chat')
  expect(mail.from?.text).toBe('"Agent Chat" <chat@example.com>')
  expect(mail.messageId).toMatch(/^<[\w-]+@example\.com>$/)
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
  expect([...mail.headers.keys()]).not.toContain('x-mailer')
  const [link = ''] = /\S+\/reset#token=[\w-]{43}\b/.exec(mail.text ?? '') ?? []
  expect(link.startsWith(`${baseURL}/reset#`)).toBe(true)

  // Opening the link, as malware scanners do, does not use it up. The mail's HTML is shown as in a mail program.
  const scanner = await context.newPage()
  await scanner.goto(link)
  await expect(scanner.getByLabel('New password')).toBeVisible()
  await scanner.close()
  await other.setContent(String(mail.html))
  await expect(other.getByText('works once, within an hour')).toBeVisible()
  await other.getByRole('link', { name: 'Set a new password' }).click()
  await expect(other).toHaveURL(link)
  await other.getByLabel('New password').fill('password')
  await other.getByRole('button', { name: 'Set password' }).click()
  await expect(other.getByText('This password is too common.')).toBeVisible()
  await other.getByLabel('New password').fill(newPassword)
  await other.getByRole('button', { name: 'Set password' }).click()
  await expect(other.getByText('Password changed. You’re signed out everywhere.')).toBeVisible()

  // The first browser is signed out, and only the new password signs in.
  await page.reload()
  await expect(page).toHaveURL(/\/login\?next=%2Fsettings/)
  await signIn(page, account)
  await expect(page.getByText('Wrong email or password.')).toBeVisible()
  await signIn(page, { ...account, password: newPassword })
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await page.goto('/settings/security')
  await expect(page.getByRole('cell', { name: 'Password reset by link' })).toBeVisible()

  await other.goto('/login')
  await other.goto(link)
  await expect(other.getByRole('alert')).toContainText('This link has expired or was already used.')
  await Owner.signIn({ ...account, password: newPassword })
  await context.close()

  const notice = await mailFor(inbox, account.email, 'Your password for Agent Chat was changed')
  expect(notice.text).toContain('Your password for ')
  expect(notice.html).toContain('Your password for ')
  expect(notice.text).not.toContain('token')
})
