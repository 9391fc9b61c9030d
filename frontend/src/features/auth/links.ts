import { queryOptions } from '@tanstack/react-query'
import { graphql } from '@/gql'
import { anonymousGql, gql } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { wrongPasswordAt } from './wrongProof'

const RequestPasswordResetDocument = graphql(`
  mutation RequestPasswordReset($input: RequestPasswordResetInput!) {
    requestPasswordReset(input: $input) {
      ok
    }
  }
`)

const ResetPasswordDocument = graphql(`
  mutation ResetPassword($input: ResetPasswordInput!) {
    resetPassword(input: $input) {
      ok
      leftBehind {
        members
        keys {
          exportName
          createdAt
        }
      }
    }
  }
`)

const PasswordResetDocument = graphql(`
  query PasswordReset($token: String!) {
    passwordReset(token: $token)
  }
`)

const VerifyEmailDocument = graphql(`
  mutation VerifyEmail($input: VerifyEmailInput!) {
    verifyEmail(input: $input) {
      ok
    }
  }
`)

const UndoEmailChangeDocument = graphql(`
  mutation UndoEmailChange($input: UndoEmailChangeInput!) {
    undoEmailChange(input: $input) {
      ok
    }
  }
`)

export async function requestPasswordReset(input: { email: string }) {
  await anonymousGql(RequestPasswordResetDocument, { input })
}

/** Whether a link can set a password now. Asking uses nothing up. */
export const resetQuery = (token: string) =>
  queryOptions({
    queryKey: ['passwordReset', token],
    queryFn: async ({ signal }) =>
      (await anonymousGql(PasswordResetDocument, { token }, { signal })).data.passwordReset,
    staleTime: Number.POSITIVE_INFINITY, // once it is used, the page says something else
  })

/** Uses a link up. Nobody is signed in by it. */
export async function resetPassword(input: { token: string; newPassword: string }) {
  return (await anonymousGql(ResetPasswordDocument, { input })).data.resetPassword
}

/** Uses the link of a sign-up up. Nobody is signed in by it. */
export async function openAccount(input: { token: string; password: string }) {
  const wrong = wrongPasswordAt('password', i18n.t('verify.wrongPassword', { ns: 'auth' }))
  await anonymousGql(VerifyEmailDocument, { input }).catch(wrong)
}

/** Uses a link for an address up, as the user who is signed in. */
export async function verifyEmail(input: { token: string }) {
  await gql(VerifyEmailDocument, { input }, { ofUser: true })
}

/** Uses a link up that brings an address back. */
export async function undoEmailChange(input: { token: string }) {
  await anonymousGql(UndoEmailChangeDocument, { input })
}
