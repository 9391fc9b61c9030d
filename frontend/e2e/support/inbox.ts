import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

export type Mail = ParsedMail

export type Inbox = {
  /** The value for SMTP_URL. */
  url: string
  /** The mails to an address, oldest first. */
  of: (address: string) => Mail[]
  close: () => Promise<void>
}

/** A mail server on loopback that accepts and keeps every mail. */
export async function openInbox(): Promise<Inbox> {
  const mails: { to: string[]; mail: Mail }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, { envelope }, done) => {
      simpleParser(stream).then((mail) => {
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), mail })
        done()
      }, done)
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    of: (address) => mails.filter(({ to }) => to.includes(address)).map(({ mail }) => mail),
    close: () => new Promise((closed) => server.close(closed)),
  }
}
