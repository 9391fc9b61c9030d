import type { Service, Target } from './service'

/** The service under test. */
export function addresses(): Target {
  const given = process.env.E2E_ADDRESSES
  if (!given) throw new Error('The global set-up has not run')
  return JSON.parse(given) as Target
}

/** Makes a service the one under test, for this process and those that it starts. */
export function handOut(service: Service) {
  process.env.E2E_ADDRESSES = JSON.stringify({ ...service, stop: undefined })
}
