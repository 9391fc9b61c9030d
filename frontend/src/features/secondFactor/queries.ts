import type { QueryClient } from '@tanstack/react-query'
import { secondFactorQuery } from '@/features/auth'
import { graphql } from '@/gql'
import type { StartSecondFactorMutation } from '@/gql/graphql'
import { gqlQuery } from '@/shared/gql'

export const StartSecondFactorDocument = graphql(`
  mutation StartSecondFactor {
    startSecondFactor {
      secret
      uri
      qrCode
    }
  }
`)

export const ConfirmSecondFactorDocument = graphql(`
  mutation ConfirmSecondFactor($input: ConfirmSecondFactorInput!) {
    confirmSecondFactor(input: $input) {
      recoveryCodes
    }
  }
`)

export const RemoveSecondFactorDocument = graphql(`
  mutation RemoveSecondFactor($input: RemoveSecondFactorInput!) {
    removeSecondFactor(input: $input) {
      ok
    }
  }
`)

export const RenewRecoveryCodesDocument = graphql(`
  mutation RenewRecoveryCodes($input: RenewRecoveryCodesInput!) {
    renewRecoveryCodes(input: $input) {
      recoveryCodes
    }
  }
`)

const SecondFactorRuleDocument = graphql(`
  query SecondFactorRule {
    me {
      id
      secondFactor
    }
    viewer {
      id
      requireSecondFactor
    }
  }
`)

export const SetSecondFactorRuleDocument = graphql(`
  mutation SetSecondFactorRule($input: UpdateAccountInput!) {
    updateAccount(input: $input) {
      account {
        id
        requireSecondFactor
      }
    }
  }
`)

/** A factor to set up. */
export type NewFactor = StartSecondFactorMutation['startSecondFactor']

/** Whether the account requires two-factor authentication, and whether the user has it on. */
export const ruleQuery = gqlQuery('secondFactorRule', SecondFactorRuleDocument)

/** Refetches what a change of the second factor affects: it ends the other sign-ins, and it is an event. */
export const refreshFactor = (queryClient: QueryClient) =>
  Promise.all(
    [secondFactorQuery.queryKey, ruleQuery.queryKey, ['signIns'], ['events']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
