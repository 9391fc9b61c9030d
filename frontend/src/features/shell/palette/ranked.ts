import { has } from '@/shared/ui'

export type Hit = {
  label: string
  /** What it belongs to. */
  of?: string
  /** The ID that leads to it. */
  id?: string
  /** Whether the service has matched it. */
  found?: boolean
}

/** The most hits of a group. */
const most = 8

/**
 * Selects the hits for what was typed. Groups with an exact ID come first; in each group, the exact
 * ID, then names that contain it, then what belongs to such a name.
 */
export function ranked<H extends Hit>(typed: string, groups: { title: string; hits: H[] }[]) {
  const rank = ({ id, found, label, of = '' }: Hit) =>
    id === typed ? 0 : found || has(label, typed) ? 1 : has(of, typed) ? 2 : 3
  const rankOfTop = ({ hits: [top] }: { hits: H[] }) => (top && rank(top) === 0 ? 0 : 1)
  return groups
    .map((group) => ({
      ...group,
      hits: group.hits
        .filter((hit) => rank(hit) < 3)
        .sort((a, b) => rank(a) - rank(b))
        .slice(0, most),
    }))
    .filter(({ hits }) => hits.length > 0)
    .sort((a, b) => rankOfTop(a) - rankOfTop(b))
}
