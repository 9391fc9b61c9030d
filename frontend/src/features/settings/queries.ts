import { graphql } from '@/gql'
import type { SignInsQuery } from '@/gql/graphql'
import { gqlQuery } from '@/shared/gql'

const SignInsDocument = graphql(`
  query SignIns {
    viewer {
      id
      signIns {
        id
        browser
        address
        createdAt
        lastUsedAt
        current
      }
    }
  }
`)

export const EndSignInDocument = graphql(`
  mutation EndSignIn($input: EndSignInInput!) {
    endSignIn(input: $input) {
      id
    }
  }
`)

export const SignOutEverywhereDocument = graphql(`
  mutation SignOutEverywhere {
    signOutEverywhere {
      ok
    }
  }
`)

export const ChangePasswordDocument = graphql(`
  mutation ChangePassword($input: ChangePasswordInput!) {
    changePassword(input: $input) {
      account {
        id
      }
    }
  }
`)

export const UpdateAccountDocument = graphql(`
  mutation UpdateAccount($input: UpdateAccountInput!) {
    updateAccount(input: $input) {
      account {
        id
        name
      }
    }
  }
`)

export const DeleteAccountDocument = graphql(`
  mutation DeleteAccount($input: DeleteAccountInput!) {
    deleteAccount(input: $input) {
      ok
    }
  }
`)

export type SignIn = SignInsQuery['viewer']['signIns'][number]

export const signInsQuery = gqlQuery('signIns', SignInsDocument)
