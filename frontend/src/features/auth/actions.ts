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
      mailSent
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

export async function signIn(input: { email: string; password: string; code?: string }) {
  const { data, serverTime } = await anonymousGql(SignInDocument, { input })
  session.signedIn(data.signIn.accessToken, data.signIn.expiresAt, serverTime)
}

/** Signs up and in. It returns true, without signing in, if a mailed link opens the account. */
export async function signUp(input: { email: string; password: string; name: string }) {
  const { data, serverTime } = await anonymousGql(SignUpDocument, { input })
  const { accessToken, expiresAt, mailSent } = data.signUp
  if (accessToken && expiresAt) session.signedIn(accessToken, expiresAt, serverTime)
  return mailSent
}

/** Signs out, on the server first: if that fails, it throws and the user stays signed in. */
export async function signOut() {
  await anonymousGql(SignOutDocument)
  session.signedOut()
}
