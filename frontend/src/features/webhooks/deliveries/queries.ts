import { graphql } from '@/gql'
import type { WebhookDeliveriesQuery } from '@/gql/graphql'
import { gqlPages, type Whole } from '@/shared/gql'

const WebhookDeliveriesDocument = graphql(`
  query WebhookDeliveries($id: ID!, $first: Int, $after: String, $failed: Boolean) {
    node(id: $id) {
      __typename
      ... on Webhook {
        id
        deliveries(first: $first, after: $after, failed: $failed) {
          nodes {
            id
            event
            status
            tookMs
            error
            sentAt
            nextTryAt
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  }
`)

type Page = Extract<WebhookDeliveriesQuery['node'], { __typename: 'Webhook' }>['deliveries']

/** The page of deliveries in a response. */
export const deliveriesOf = ({ node }: Whole<WebhookDeliveriesQuery>): Page =>
  node.__typename === 'Webhook' ? node.deliveries : { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } }

export type Delivery = Page['nodes'][number]

const pageSize = 20

/** A webhook's deliveries, newest first, page by page; with `failed`, those alone that failed for good. */
export const deliveriesQuery = (id: string, failed: true | undefined) =>
  gqlPages('webhookDeliveries', WebhookDeliveriesDocument, { id, failed, first: pageSize }, deliveriesOf)
