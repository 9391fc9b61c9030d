import { type Inbox, type Mail, openInbox } from './inbox'
import { startService } from './service'
import { handOut } from './target'
import { test as base, expect } from './test'

/**
 * The `test` of what needs mail. With mail some pages behave otherwise, so the worker of these tests has a service of its own, which
 * everything in this folder then uses.
 */
export const test = base.extend<object, { inbox: Inbox }>({
  inbox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of this pattern
    async ({}, use) => {
      const inbox = await openInbox()
      const settings = { SMTP_URL: inbox.url, MAIL_FROM: 'Agent Chat <chat@example.com>', DATABASE_URL: undefined }
      const service = await startService(settings)
      handOut(service)
      await use(inbox)
      await service.stop()
      await inbox.close()
    },
    { scope: 'worker', auto: true, timeout: 120_000 },
  ],
})

/** The one mail with a subject that comes for an address. */
export async function mailFor(inbox: Inbox, address: string, subject: string): Promise<Mail> {
  const those = () => inbox.of(address).filter((mail) => mail.subject === subject)
  await expect.poll(() => those().length, { message: `${subject} for ${address}` }).toBe(1)
  return those()[0] as Mail
}

export { expect }
