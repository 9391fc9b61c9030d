import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { inherited, type Target } from './service'
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
export function newAccount(
  { name = 'Test owner', credits = 100, email = `owner-${randomUUID()}@example.com` }: Partial<NewAccount> = {},
  target: Commanded = addresses(),
): Account {
  const account = { email, password: 'a password of this test' }
  const given = ['account', 'create', `--email=${account.email}`, `--name=${name}`, `--starting-credits=${credits}`]
  command(target, given, account.password)
  return account
}

/** Adds credits, as the operator does. */
export function grant(account: Account, amount: number, note = 'Granted by a test', target: Target = addresses()) {
  command(target, [
    'credits',
    'grant',
    `--email=${account.email}`,
    `--amount=${amount}`,
    `--note=${note}`,
    `--reference=${randomUUID()}`,
  ])
}

/** A service that the operator's commands reach. */
export type Commanded = Pick<Target, 'binary' | 'commandEnv'>

function command({ binary, commandEnv }: Commanded, given: string[], input = ''): string {
  return execFileSync(binary, [...given, '--json'], {
    env: { ...inherited(), ...commandEnv },
    input: `${input}\n`,
    encoding: 'utf8',
  })
}
