import type { ActionCallState } from '@/gql/graphql'

export type CallState = ActionCallState

/** The largest result, in bytes of JSON, and the longest error, in Unicode code points. */
export const maxResult = 16_384
export const maxError = 2_000

/** The problem of a typed result: not JSON, or too long. */
export function problemOf(text: string): 'json' | 'long' | undefined {
  try {
    JSON.parse(text)
  } catch {
    return 'json'
  }
  // White space does not count towards the limit.
  return new TextEncoder().encode(JSON.stringify(JSON.parse(text))).length > maxResult ? 'long' : undefined
}
