import { graphql } from '@/gql'
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

export const signInsQuery = gqlQuery('signIns', SignInsDocument)
