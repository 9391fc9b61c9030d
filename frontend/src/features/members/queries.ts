import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { InvitationPreviewQuery, InvitationsQuery, MembersQuery } from '@/gql/graphql'
import { anonymousGql, gql, gqlQuery, hasCode, session, type Whole } from '@/shared/gql'

const MembersDocument = graphql(`
  query Members {
    me {
      id
    }
    viewer {
      id
      members {
        userId
        name
        email
        role
        since
        secondFactor
        lastSeenAt
      }
    }
  }
`)

const InvitationsDocument = graphql(`
  query Invitations {
    viewer {
      id
      invitations {
        id
        email
        role
        invitedBy {
          name
        }
        createdAt
        expiresAt
      }
    }
  }
`)

const MadeKeysDocument = graphql(`
  query MadeKeys {
    viewer {
      id
      exports(first: 100, filter: { inUse: true }) {
        nodes {
          id
          name
          keys {
            id
            createdBy {
              actorId
            }
          }
        }
      }
    }
  }
`)

const MadeTokensDocument = graphql(`
  query MadeTokens {
    me {
      id
    }
    viewer {
      id
      accountTokens {
        id
        name
        createdBy {
          actorId
        }
      }
    }
  }
`)

const InvitationPreviewDocument = graphql(`
  query InvitationPreview($token: String!) {
    invitation(token: $token) {
      accountName
      email
      role
      invitedBy
      expiresAt
      known
    }
  }
`)

const MyAddressDocument = graphql(`
  query MyAddress {
    me {
      id
      email
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

export const InviteMemberDocument = graphql(`
  mutation InviteMember($input: InviteMemberInput!) {
    inviteMember(input: $input) {
      invitation {
        id
        email
      }
      link
    }
  }
`)

export const RenewInvitationDocument = graphql(`
  mutation RenewInvitation($input: RenewInvitationInput!) {
    renewInvitation(input: $input) {
      invitation {
        id
        email
      }
      link
    }
  }
`)

export const RevokeInvitationDocument = graphql(`
  mutation RevokeInvitation($input: RevokeInvitationInput!) {
    revokeInvitation(input: $input) {
      revokedInvitationId
    }
  }
`)

export const SetMemberRoleDocument = graphql(`
  mutation SetMemberRole($input: SetMemberRoleInput!) {
    setMemberRole(input: $input) {
      member {
        userId
        role
      }
    }
  }
`)

export const RemoveMemberDocument = graphql(`
  mutation RemoveMember($input: RemoveMemberInput!) {
    removeMember(input: $input) {
      userId
    }
  }
`)

export const LeaveAccountDocument = graphql(`
  mutation LeaveAccount {
    leaveAccount {
      ok
    }
  }
`)

const AcceptInvitationDocument = graphql(`
  mutation AcceptInvitation($input: AcceptInvitationInput!) {
    acceptInvitation(input: $input) {
      account {
        accountId
      }
    }
  }
`)

export type Member = NonNullable<MembersQuery['viewer']>['members'][number]
export type Invitation = NonNullable<NonNullable<InvitationsQuery['viewer']>['invitations']>[number]
export type Preview = Whole<InvitationPreviewQuery>['invitation']

export const membersQuery = gqlQuery('members', MembersDocument)
export const invitationsQuery = gqlQuery('invitations', InvitationsDocument)

/** The exports in use, up to 100, that have a key which this user made. */
export const madeKeysQuery = (userId: string) =>
  queryOptions({
    ...gqlQuery('madeKeys', MadeKeysDocument),
    select: ({ viewer }) =>
      viewer.exports.nodes.filter(({ keys }) => keys.some(({ createdBy }) => createdBy?.actorId === userId)),
  })

/** The account tokens that this user made, or, without one, the reader. For owners. */
export const madeTokensQuery = (userId?: string) =>
  queryOptions({
    ...gqlQuery('madeTokens', MadeTokensDocument),
    select: ({ me, viewer }) =>
      (viewer.accountTokens ?? []).filter(({ createdBy }) => createdBy.actorId === (userId ?? me.id)),
  })

/** What a link invites to; null if it does not work any more. Asking uses nothing up. */
export const previewQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) => {
      try {
        return (await anonymousGql(InvitationPreviewDocument, { token }, { signal })).data.invitation
      } catch (error) {
        if (hasCode(error, 'NONE')) return null
        throw error
      }
    },
    staleTime: Number.POSITIVE_INFINITY, // once it is used, the page says something else
  })

/** The address of who is signed in; null if nobody is. */
export const myAddressQuery = queryOptions({
  queryKey: ['myAddress'],
  queryFn: async ({ signal }) => {
    if (!(await session.isSignedIn())) return null
    return (await gql(MyAddressDocument, undefined, { signal, ofUser: true })).me.email
  },
})

/** Joins as the signed-in user. Returns the account's id. */
export async function join(token: string) {
  return (await gql(AcceptInvitationDocument, { input: { token } }, { ofUser: true })).acceptInvitation.account
    .accountId
}

/** Joins as a new user, who is not signed in by it. Returns the account's id. */
export async function joinAsNew(input: { token: string; name: string; password: string }) {
  return (await anonymousGql(AcceptInvitationDocument, { input })).data.acceptInvitation.account.accountId
}

export const refreshMembers = (queryClient: QueryClient) =>
  Promise.all([['members'], ['invitations'], ['viewer']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
