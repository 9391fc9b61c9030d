import { graphql } from '@/gql'
import { anonymousGql, session } from '@/shared/gql'

const SignInDocument = graphql(`
  mutation SignIn($input: SignInInput!) {
    signIn(input: $input) {
      accessToken
      expiresAt
    }
  }
`)

const SignUpDocument = graphql(`
  mutation SignUp($input: SignUpInput!) {
    signUp(input: $input) {
      accessToken
      expiresAt
    }
  }
`)

const SignOutDocument = graphql(`
  mutation SignOut {
    signOut {
      ok
    }
  }
`)

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
    }
  }
`)

export async function requestPasswordReset(input: { email: string }) {
  await anonymousGql(RequestPasswordResetDocument, { input })
}

/** Uses a link up. Nobody is signed in by it. */
export async function resetPassword(input: { token: string; newPassword: string }) {
  await anonymousGql(ResetPasswordDocument, { input })
}

export async function signIn(input: { email: string; password: string }) {
  const { data, serverTime } = await anonymousGql(SignInDocument, { input })
  session.signedIn(data.signIn.accessToken, data.signIn.expiresAt, serverTime)
}

export async function signUp(input: { email: string; password: string; name: string }) {
  const { data, serverTime } = await anonymousGql(SignUpDocument, { input })
  session.signedIn(data.signUp.accessToken, data.signUp.expiresAt, serverTime)
}

/** Signs out, on the server first: if that fails, it throws and the user stays signed in. */
export async function signOut() {
  await anonymousGql(SignOutDocument)
  session.signedOut()
}
