import type { QueryClient } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { AccountTokensQuery } from '@/gql/graphql'
import { gqlQuery } from '@/shared/gql'

const AccountTokensDocument = graphql(`
  query AccountTokens {
    viewer {
      id
      accountTokens {
        id
        name
        role
        createdBy {
          name
        }
        createdAt
        lastUsedAt
        expiresAt
      }
    }
  }
`)

export const CreateAccountTokenDocument = graphql(`
  mutation CreateAccountToken($input: CreateAccountTokenInput!) {
    createAccountToken(input: $input) {
      secret
      accountToken {
        id
        name
      }
    }
  }
`)

export const RemoveAccountTokenDocument = graphql(`
  mutation RemoveAccountToken($input: RemoveAccountTokenInput!) {
    removeAccountToken(input: $input) {
      removedAccountTokenId
    }
  }
`)

/** The account's tokens, for its owners. */
export const accountTokensQuery = gqlQuery('account-tokens', AccountTokensDocument)

export type AccountToken = NonNullable<NonNullable<AccountTokensQuery['viewer']>['accountTokens']>[number]

export const refreshTokens = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: accountTokensQuery.queryKey })
