import type { StartTestRunInput } from '@/gql/graphql'

/** What is tested: the draft, the live version, both, or any version with any model. */
export type Subject = 'draft' | 'live' | 'both' | 'other'

export type RunValues = { subject: Subject; version: string; model: string; budget: number | string }

/** The subjects that can be tested; without a live version, there are fewer. */
export const subjectsOf = (published: number | undefined): Subject[] =>
  published === undefined ? ['draft', 'other'] : ['draft', 'live', 'both', 'other']

type Target = { agentId: string; published: number | undefined; cases?: string[] }

/** The runs to start: the first one is shown, and compared with the second. */
export function inputsOf(values: RunValues, { agentId, published, cases }: Target): StartTestRunInput[] {
  const { subject, version, model, budget } = values
  const input = { agentId, cases, budget: budget === '' ? undefined : Number(budget) }
  switch (subject) {
    case 'draft':
      return [input]
    case 'live':
      return [{ ...input, version: published }]
    case 'both':
      return [input, { ...input, version: published }]
    case 'other':
      return [{ ...input, version: version ? Number(version) : undefined, model: model || undefined }]
  }
}

type Price = { most: number; exact: boolean }

/** The price of runs together; undefined until all are known. */
export function priceOf(prices: (Price | undefined)[]): Price | undefined {
  const known = prices.filter((price) => price !== undefined)
  if (known.length < prices.length) return undefined
  return { most: known.reduce((sum, { most }) => sum + most, 0), exact: known.every(({ exact }) => exact) }
}
