import { graphql } from '@/gql'
import type { TestSettingsQuery } from '@/gql/graphql'
import { gqlQuery } from '@/shared/gql'

const TestSettingsDocument = graphql(`
  query TestSettings($agentId: ID!) {
    agent(id: $agentId) {
      id
      tests {
        gate
        repeats
        neededPasses
        judge {
          id
          name
        }
        tokenCreditsPerDay
      }
    }
  }
`)

export const UpdateTestSettingsDocument = graphql(`
  mutation UpdateTestSettings($input: UpdateTestSettingsInput!) {
    updateTestSettings(input: $input) {
      agent {
        id
      }
    }
  }
`)

export type TestSettings = NonNullable<TestSettingsQuery['agent']>['tests']

export const testSettingsQuery = (agentId: string) => gqlQuery('testSettings', TestSettingsDocument, { agentId })
