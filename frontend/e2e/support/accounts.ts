import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { inherited } from './service'
import { addresses } from './target'

export type Account = { email: string; password: string }

export type NewAccount = {
  name: string
  /** What it starts with; 100 when not given. */
  credits: number
  /** One that nobody has yet; made up when not given. */
  email: string
}

/**
 * Opens an account with the operator's command: signing up over HTTP is limited to ten an hour from one address. Tests share
 * nothing, so each takes an account of its own.
 */
export function newAccount({
  name = 'Test owner',
  credits = 100,
  email = `owner-${randomUUID()}@example.com`,
}: Partial<NewAccount> = {}): Account {
  const account = { email, password: 'a password of this test' }
  const given = ['account', 'create', `--email=${account.email}`, `--name=${name}`, `--starting-credits=${credits}`]
  command(given, account.password)
  return account
}

/** Adds credits, as the operator does. */
export function grant({ email }: Account, amount: number, note: string) {
  const given = [`--email=${email}`, `--amount=${amount}`, `--note=${note}`, `--reference=${randomUUID()}`]
  command(['credits', 'grant', ...given])
}

function command(given: string[], input = '') {
  const { binary, commandEnv } = addresses()
  execFileSync(binary, [...given, '--json'], { env: { ...inherited(), ...commandEnv }, input: `${input}\n` })
}
