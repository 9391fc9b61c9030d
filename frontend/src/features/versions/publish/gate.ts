import { useQuery } from '@tanstack/react-query'
import { useMay } from '@/features/auth'
import { graphql } from '@/gql'
import type { PublishTestsQuery } from '@/gql/graphql'
import { gqlQuery } from '@/shared/gql'

const PublishTestsDocument = graphql(`
  query PublishTests($agentId: ID!) {
    agent(id: $agentId) {
      id
      tests {
        gate
        standing
      }
      testRuns(first: 20) {
        nodes {
          id
          number
          version {
            number
          }
          model
          whole
          state
          repeats
          attempts
          passed
        }
      }
    }
  }
`)

type Tests = NonNullable<PublishTestsQuery['agent']>

/** The effect of a draft's tests on publishing it. */
export type Gate = {
  standing: Tests['tests']['standing']
  /** Whether the draft has not passed the tests that it needs. */
  held: boolean
  /** Whether the user can publish it anyway. */
  mayOverride: boolean
  /** The newest run of the draft with all cases that has this standing, if it is among the newest runs. */
  run?: { id: string; number: number; cases: number; failed: number }
}

/** The gate for a draft; undefined while loading, and if the gate is off. The service has the final say. */
export function useGate(agentId: string) {
  const isOwner = useMay('OWNER')
  const query = useQuery({ ...gqlQuery('publishTests', PublishTestsDocument, { agentId }), staleTime: 0 })
  return { gate: query.data && gateOf(query.data.agent, isOwner), refetch: query.refetch }
}

/** The gate for a user, from the agent's settings and newest runs; undefined if it is off. */
export function gateOf({ tests: { gate, standing }, testRuns }: Tests, isOwner: boolean): Gate | undefined {
  if (gate === 'OFF') return undefined
  const tested = testRuns.nodes.find(
    ({ version, model, whole, state }) => !version && !model && whole && state === standing,
  )
  const cases = tested ? tested.attempts / tested.repeats : 0
  return {
    standing,
    held: standing === 'FAILED' || standing === 'UNTESTED',
    mayOverride: gate === 'WARN' || isOwner,
    run: tested && { id: tested.id, number: tested.number, cases, failed: cases - tested.passed },
  }
}
