import type { QueryClient } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { EventsQuery, SignInsQuery } from '@/gql/graphql'
import { gqlPages, gqlQuery } from '@/shared/gql'

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

const EventsDocument = graphql(`
  query Events($first: Int, $after: String) {
    me {
      id
      events(first: $first, after: $after) {
        nodes {
          id
          at
          actor {
            kind
            name
          }
          action
          details {
            field
          }
          address
          browser
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)

const AddressDocument = graphql(`
  query Address {
    me {
      id
      email
      emailVerified
    }
  }
`)

export const RequestEmailVerificationDocument = graphql(`
  mutation RequestEmailVerification {
    requestEmailVerification {
      ok
    }
  }
`)

export const ChangeEmailDocument = graphql(`
  mutation ChangeEmail($input: ChangeEmailInput!) {
    changeEmail(input: $input) {
      ok
    }
  }
`)

export const EndSignInDocument = graphql(`
  mutation EndSignIn($input: EndSignInInput!) {
    endSignIn(input: $input) {
      endedSignInId
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

export const UpdateUserDocument = graphql(`
  mutation UpdateUser($input: UpdateUserInput!) {
    updateUser(input: $input) {
      user {
        id
        name
      }
    }
  }
`)

const NotificationsDocument = graphql(`
  query Notifications {
    viewer {
      id
      viewerRole
      lowCreditsAt
    }
  }
`)

const KeptDataDocument = graphql(`
  query KeptData {
    viewer {
      id
      rejectedRequestDays
      retentionDays
      serviceRetentionDays
    }
  }
`)

const RetentionPreviewDocument = graphql(`
  query RetentionPreview($days: Int!) {
    viewer {
      id
      retentionPreview(days: $days) {
        conversations
        more
      }
    }
  }
`)

export const SetRetentionDocument = graphql(`
  mutation SetRetention($input: UpdateAccountInput!) {
    updateAccount(input: $input) {
      account {
        id
      }
    }
  }
`)

export const CreateAccountDownloadDocument = graphql(`
  mutation CreateAccountDownload {
    createAccountDownload {
      url
    }
  }
`)

export const SetLowCreditsDocument = graphql(`
  mutation SetLowCredits($input: UpdateAccountInput!) {
    updateAccount(input: $input) {
      account {
        id
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

export type SignIn = NonNullable<SignInsQuery['viewer']>['signIns'][number]

export const notificationsQuery = gqlQuery('notifications', NotificationsDocument)

export const keptDataQuery = gqlQuery('keptData', KeptDataDocument)

/** Counts the conversations that a retention would delete, without a cache. */
export const retentionPreviewQuery = (days: number) => ({
  ...gqlQuery('retentionPreview', RetentionPreviewDocument, { days }),
  gcTime: 0,
})

export const addressQuery = gqlQuery('address', AddressDocument)

export const signInsQuery = gqlQuery('signIns', SignInsDocument)

export type Event = EventsQuery['me']['events']['nodes'][number]

export const eventsQuery = gqlPages('events', EventsDocument, { first: 20 }, ({ me }) => me.events)

/** Refetches the sign-ins and their events. */
export const refreshSignIns = (queryClient: QueryClient) =>
  Promise.all([['signIns'], ['events']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
