import type { Target } from './service'

/** The service under test. */
export function addresses(): Target {
  const given = process.env.E2E_ADDRESSES
  if (!given) throw new Error('The global set-up has not run')
  return JSON.parse(given) as Target
}
