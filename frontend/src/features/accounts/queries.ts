import { queryOptions } from '@tanstack/react-query'
import { graphql } from '@/gql'
import { gql } from '@/shared/gql'

const CreateAccountDocument = graphql(`
  mutation CreateAccount($input: CreateAccountInput!) {
    createAccount(input: $input) {
      account {
        accountId
      }
    }
  }
`)

const MyAccountsDocument = graphql(`
  query MyAccounts {
    me {
      id
      memberships {
        account {
          accountId
          name
        }
      }
    }
  }
`)

/** The user's accounts, whichever is open. */
export const myAccountsQuery = queryOptions({
  queryKey: ['myAccounts'],
  queryFn: ({ signal }) => gql(MyAccountsDocument, undefined, { signal, ofUser: true }),
})

/** Opens one more account, and returns its id. */
export async function createAccount(name: string) {
  return (await gql(CreateAccountDocument, { input: { name } }, { ofUser: true })).createAccount.account.accountId
}
