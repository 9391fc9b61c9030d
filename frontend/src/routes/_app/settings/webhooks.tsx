import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { WebhooksPage } from '@/features/webhooks'
import { uuid } from '../-search'

export const Route = createFileRoute('/_app/settings/webhooks')({
  validateSearch: z.object({
    // The open webhook, the filter of its deliveries, and the open one of them.
    id: uuid,
    failed: z.optional(z.catch(z.optional(z.literal(true)), undefined)),
    delivery: uuid,
  }),
  component: WebhooksPage,
})
