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
