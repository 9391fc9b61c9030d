import { generateSync } from 'otplib'

/** Seconds that a code is shown for. */
const step = 30

/** An authenticator app with one secret, whose clock stands still: code(0) is the one of the step in which it was set up. */
export function authenticator(secret: string) {
  const began = Math.floor(Date.now() / 1000)
  return { code: (steps: number) => generateSync({ secret, epoch: began + steps * step }) }
}
