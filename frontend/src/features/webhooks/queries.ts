import type { QueryClient } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { WebhookEvent, WebhooksQuery } from '@/gql/graphql'
import { followSlowly, gqlQuery } from '@/shared/gql'

const WebhooksDocument = graphql(`
  query Webhooks {
    serviceInfo {
      ownerWebhooks
    }
    viewer {
      id
      webhooks {
        id
        url
        events
        state
        createdBy {
          name
        }
        createdAt
        failingSince
        previousSecretUntil
        dropped
      }
    }
  }
`)

export type Webhook = NonNullable<NonNullable<WebhooksQuery['viewer']>['webhooks']>[number]

/** The account's webhooks, for editors and owners. The service can turn one off at any time. */
export const webhooksQuery = { ...gqlQuery('webhooks', WebhooksDocument), refetchInterval: followSlowly }

/** The number of webhooks that an account can have. */
export const mostWebhooks = 5

/** The name of an event in the posted JSON. */
export const nameOf = (event: WebhookEvent) => event.toLowerCase().replace('_', '.')

/** Refetches the webhooks and their deliveries. */
export const refreshWebhooks = (queryClient: QueryClient) =>
  Promise.all(
    [['webhooks'], ['webhookDeliveries'], ['webhookDelivery']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
