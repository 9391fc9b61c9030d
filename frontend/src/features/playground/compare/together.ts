import type { Variable } from '@/features/versions'
import type { Phase } from '../messages/entries'
import type { Side } from './useSide'

/** What is true of both sides of a comparison together. */
export function together(left: Side, right: Side) {
  const sides = [left, right]
  const priceOf = ({ answering }: Side) => answering.model?.creditsPerMessage
  const phases = sides.map(({ chat }) => chat.phase)
  const [a, b] = sides.map(priceOf)
  return {
    /** Whether a message is under way. */
    busy: phases.some((phase) => phase !== undefined),
    /** Whether there is a conversation on either side. */
    begun: sides.some(({ chat }) => chat.begun),
    /** How far the side is of which most has come. */
    phase: (['coming', 'asked', 'stopping'] satisfies Phase[]).find((phase) => phases.includes(phase)),
    /** What a message to both costs; undefined while a side has no model. */
    prices: a !== undefined && b !== undefined ? { left: a, right: b, total: a + b } : undefined,
    /** What it costs to stop: only the replies that have begun are kept. */
    stopPrice: sides.reduce((sum, side) => sum + (side.chat.phase === 'coming' ? (priceOf(side) ?? 0) : 0), 0),
    variables: declaredBy(left.answering.variables, right.answering.variables),
  }
}

/** What either side declares; it is required where one of them requires it. Undefined until both are known. */
export function declaredBy(left: Variable[] | undefined, right: Variable[] | undefined): Variable[] | undefined {
  if (!left || !right) return undefined
  const all = new Map(left.map((variable) => [variable.name, variable]))
  for (const variable of right) {
    const same = all.get(variable.name)
    all.set(variable.name, same ? { ...same, required: same.required || variable.required } : variable)
  }
  return [...all.values()]
}

/** Whether the latest message of a side has failed. */
export function hasFailed({ chat }: Side): boolean {
  const latest = chat.entries.at(-1)
  if (!latest || latest.outcome.kind === 'waiting') return false
  return latest.outcome.kind !== 'turn' || latest.outcome.turn.state === 'FAILED'
}
