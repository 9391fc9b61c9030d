import type { QueryClient } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { TestCasesQuery } from '@/gql/graphql'
import { gqlPages, gqlQuery } from '@/shared/gql'

export const TestCasesDocument = graphql(`
  query TestCases($agentId: ID!, $first: Int!, $after: String, $search: String) {
    agent(id: $agentId) {
      id
      testCases(first: $first, after: $after, search: $search) {
        nodes {
          id
          number
          document
          newestOutcome {
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

const TestCaseDocument = graphql(`
  query TestCase($id: ID!) {
    testCase(id: $id) {
      id
      number
      document
      conversation {
        id
      }
    }
  }
`)

const TestCaseFromDocument = graphql(`
  query TestCaseFrom($turnId: ID!) {
    testCaseFrom(turnId: $turnId)
  }
`)

export const CreateTestCaseDocument = graphql(`
  mutation CreateTestCase($input: CreateTestCaseInput!) {
    createTestCase(input: $input) {
      testCase {
        id
      }
    }
  }
`)

export const UpdateTestCaseDocument = graphql(`
  mutation UpdateTestCase($input: UpdateTestCaseInput!) {
    updateTestCase(input: $input) {
      testCase {
        id
      }
    }
  }
`)

export const DeleteTestCasesDocument = graphql(`
  mutation DeleteTestCases($input: DeleteTestCasesInput!) {
    deleteTestCases(input: $input) {
      ids
    }
  }
`)

export const ImportTestCasesDocument = graphql(`
  mutation ImportTestCases($input: ImportTestCasesInput!) {
    importTestCases(input: $input) {
      imported
      skipped {
        line
        message
      }
    }
  }
`)

export type TestCase = NonNullable<TestCasesQuery['agent']>['testCases']['nodes'][number]

const pageSize = 50

/** An agent's test cases, page by page; a search keeps only those with the text in their name or message. */
export const testCasesQuery = (agentId: string, search: string | undefined) =>
  gqlPages('testCases', TestCasesDocument, { agentId, search, first: pageSize }, ({ agent }) => agent.testCases)

/** One current test case. Its id changes with each edit. */
export const testCaseQuery = (id: string) => gqlQuery('testCase', TestCaseDocument, { id })

/** The document of a test case that a turn proposes. */
export const testCaseFromQuery = (turnId: string) => ({
  ...gqlQuery('testCaseFrom', TestCaseFromDocument, { turnId }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Refetches the test cases, and the standing of drafts, which depends on them. */
export const refreshTests = (queryClient: QueryClient) =>
  Promise.all(
    ['testCases', 'testCase', 'testSettings'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  )

/** The largest file that the service imports, in bytes. */
export const maxFile = 5_000_000
