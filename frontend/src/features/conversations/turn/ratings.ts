import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { graphql, readFragment } from '@/gql'
import type { RateTurnInput, TurnRatingsFragment } from '@/gql/graphql'
import { gql } from '@/shared/gql'

/** The ratings of a turn, with their authors. */
export const TurnRatings = graphql(`
  fragment TurnRatings on Turn {
    ratings {
      kind
      value
      note
      ratedBy {
        name
      }
    }
  }
`)

const RateTurnDocument = graphql(`
  mutation RateTurn($input: RateTurnInput!) {
    rateTurn(input: $input) {
      turn {
        id
        ...TurnRatings
      }
    }
  }
`)

export type RatedTurn = TurnRatingsFragment & { id: string }
export type Rating = ReturnType<typeof useRating>

/** The longest note, in Unicode code points. */
export const maxNote = 1_000

/** The ratings of a reply, and the function that stores the team's. */
export function useRating(turn: RatedTurn) {
  const queryClient = useQueryClient()
  /** The last saved rating, until the turn is refetched. */
  const [saved, setSaved] = useState<{ over: RatedTurn['ratings']; ratings: RatedTurn['ratings'] }>()
  const ratings = saved?.over === turn.ratings ? saved.ratings : turn.ratings
  const { mutateAsync, isPending, isError } = useMutation({
    mutationFn: (input: Omit<RateTurnInput, 'turnId'>) =>
      gql(RateTurnDocument, { input: { turnId: turn.id, ...input } }),
    onSuccess: ({ rateTurn }) => {
      setSaved({ over: turn.ratings, ratings: readFragment(TurnRatings, rateTurn.turn).ratings })
      for (const key of ['conversation', 'conversations']) void queryClient.invalidateQueries({ queryKey: [key] })
    },
  })
  /** Whether it could be saved. */
  const rate = (input: Omit<RateTurnInput, 'turnId'>) =>
    mutateAsync(input).then(
      () => true,
      () => false,
    )
  return { ratings, team: ratings.find(({ kind }) => kind === 'TEAM'), rate, isPending, isError }
}
