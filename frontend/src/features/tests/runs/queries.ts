import type { QueryClient } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { StartTestRunInput, TestOutcomesQuery, TestResultsQuery, TestRunQuery, TestRunsQuery } from '@/gql/graphql'
import { gqlPages, gqlQuery } from '@/shared/gql'

const TestRunsDocument = graphql(`
  query TestRuns($agentId: ID!, $first: Int!, $after: String) {
    agent(id: $agentId) {
      id
      testRuns(first: $first, after: $after) {
        nodes {
          id
          number
          version {
            number
          }
          model
          whole
          state
          stopReason
          repeats
          attempts
          done
          passed
          credits
          createdAt
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)

const TestRunDocument = graphql(`
  query TestRun($id: ID!) {
    testRun(id: $id) {
      id
      number
      agent {
        id
      }
      version {
        number
      }
      model
      state
      stopReason
      repeats
      neededPasses
      attempts
      done
      passed
      budget
      credits
      startedBy {
        name
      }
      createdAt
    }
  }
`)

const TestOutcomesDocument = graphql(`
  query TestOutcomes($id: ID!, $first: Int!, $after: String, $against: ID) {
    testRun(id: $id) {
      id
      done
      outcomes(first: $first, after: $after, against: $against) {
        nodes {
          caseNumber
          case {
            id
            document
          }
          passes
          repeats
          passed
          change
          before {
            passes
            repeats
            passed
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)

const TestResultsDocument = graphql(`
  query TestResults($id: ID!, $first: Int!, $after: String, $caseNumber: Int) {
    testRun(id: $id) {
      id
      results(first: $first, after: $after, caseNumber: $caseNumber) {
        nodes {
          caseNumber
          repeat
          passed
          errorCode
          credits
          durationMs
          verdicts {
            check
            type
            passed
            judgeTurn {
              id
              reply
            }
          }
          turn {
            id
            number
            conversationId
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)

const TestRunPriceDocument = graphql(`
  query TestRunPrice($input: StartTestRunInput!) {
    testRunPrice(input: $input) {
      most
      exact
      attempts
    }
  }
`)

export const StartTestRunDocument = graphql(`
  mutation StartTestRun($input: StartTestRunInput!) {
    startTestRun(input: $input) {
      testRun {
        id
      }
    }
  }
`)

export const StopTestRunDocument = graphql(`
  mutation StopTestRun($input: StopTestRunInput!) {
    stopTestRun(input: $input) {
      testRun {
        id
        state
        stopReason
      }
    }
  }
`)

export const DeleteTestRunDocument = graphql(`
  mutation DeleteTestRun($input: DeleteTestRunInput!) {
    deleteTestRun(input: $input) {
      deletedTestRunId
    }
  }
`)

export type ListedRun = NonNullable<TestRunsQuery['agent']>['testRuns']['nodes'][number]
export type Run = NonNullable<TestRunQuery['testRun']>
export type Outcome = NonNullable<TestOutcomesQuery['testRun']>['outcomes']['nodes'][number]
export type Result = NonNullable<TestResultsQuery['testRun']>['results']['nodes'][number]

/** An agent's runs, newest first, page by page. */
export const testRunsQuery = (agentId: string) =>
  gqlPages('testRuns', TestRunsDocument, { agentId, first: 20 }, ({ agent }) => agent.testRuns)

export const testRunQuery = (id: string) => gqlQuery('testRun', TestRunDocument, { id })

/** The outcomes of a run's cases, compared with those of another run. */
export const testOutcomesQuery = (id: string, against: string | undefined) =>
  gqlPages('testOutcomes', TestOutcomesDocument, { id, against, first: 100 }, ({ testRun }) => testRun.outcomes)

/** The finished attempts of a run, or of one of its cases. */
export const testResultsQuery = (id: string, done: number, caseNumber: number | undefined) => {
  const variables = { id, caseNumber, first: 20 }
  const pages = gqlPages('testResults', TestResultsDocument, variables, ({ testRun }) => testRun.results)
  return { ...pages, queryKey: [...pages.queryKey, done] }
}

export const testRunPriceQuery = (input: StartTestRunInput) => gqlQuery('testRunPrice', TestRunPriceDocument, { input })

export const isOver = ({ state }: Pick<Run, 'state'>) => state !== 'WAITING' && state !== 'RUNNING'

/** Refetches the runs, and what depends on the newest. */
export const refreshRuns = (queryClient: QueryClient) =>
  Promise.all(
    ['testRuns', 'testRun', 'testOutcomes', 'testCases', 'testSettings'].map((key) =>
      queryClient.invalidateQueries({ queryKey: [key] }),
    ),
  )
