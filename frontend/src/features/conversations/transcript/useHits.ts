import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Conversation, type Hit, hitsQuery } from '../queries'

const none: Hit[] = []

/**
 * The hits of a text in a conversation, and the index `at` of the one shown: at first the hit in the turn or its reply, otherwise the
 * first. `at` is -1 without a hit.
 */
export function useHits(conversation: Conversation, text?: string, turn?: number, inReply = false) {
  const query = useQuery(hitsQuery(conversation, text))
  const hits = query.data ?? none
  const [chosen, setChosen] = useState<number>()
  const given = hits.findIndex((hit) => hit.number === turn && (hit.inReply || !inReply))
  const at = chosen ?? (turn === undefined ? Math.min(0, hits.length - 1) : given)
  const step = (by: 1 | -1) => {
    if (hits.length > 0) setChosen((Math.max(at, by < 0 ? 0 : -1) + by + hits.length) % hits.length)
  }
  return { hits, at, hit: hits[at], step, error: query.error, loaded: !query.isLoading }
}
