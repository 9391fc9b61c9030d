import type { TestChange } from '@/gql/graphql'
import { readDocument } from '../document'
import type { Outcome, Result } from './queries'

/** Why an attempt did not pass: the code of its failure, or its first failed check with the judge’s reason. */
export type Reason = { code: string } | { check: number; type: string; judged?: string }

export function reasonOf({ passed, errorCode, verdicts }: Pick<Result, 'passed' | 'errorCode' | 'verdicts'>) {
  if (passed) return undefined
  if (errorCode) return { code: errorCode }
  const failed = verdicts.find((verdict) => !verdict.passed)
  return failed && { check: failed.check, type: failed.type, judged: judgedIn(failed) }
}

/** The judge’s reason in a verdict; undefined for other checks, and once the text was deleted. */
export function judgedIn({ judgeTurn }: Pick<Result['verdicts'][number], 'judgeTurn'>): string | undefined {
  try {
    const { reason } = JSON.parse(judgeTurn?.reply ?? '') as { reason?: unknown }
    return typeof reason === 'string' ? reason : undefined
  } catch {
    return undefined
  }
}

/** The reason of each failed case: that of its first failed attempt. */
export function reasonsOf(results: Result[]): Map<number, Reason> {
  const reasons = new Map<number, Reason>()
  for (const result of results) {
    const reason = reasonOf(result)
    if (reason && !reasons.has(result.caseNumber)) reasons.set(result.caseNumber, reason)
  }
  return reasons
}

/** The number of cases for each change. */
export const countsOf = (outcomes: Pick<Outcome, 'change'>[]) => {
  const count = (change: TestChange) => outcomes.filter((outcome) => outcome.change === change).length
  return { worse: count('WORSE'), better: count('BETTER'), same: count('SAME') }
}

/** The name of a case as it was tested; undefined once it was erased. */
export const nameOf = ({ case: tested }: Pick<Outcome, 'case'>) => tested && readDocument(tested.document).name
