import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { graphql } from '@/gql'
import { gql } from '@/shared/gql'
import { notifyDone, notifyError } from '@/shared/ui'
import { nameOf, refreshWebhooks } from '../queries'
import type { Delivery } from './queries'

const RetryWebhookDeliveryDocument = graphql(`
  mutation RetryWebhookDelivery($input: RetryWebhookDeliveryInput!) {
    retryWebhookDelivery(input: $input) {
      delivery {
        id
      }
    }
  }
`)

/** Sends a delivery again, under its ID. */
export function ResendButton({ delivery: { id, event } }: { delivery: Delivery }) {
  const { t } = useTranslation('webhooks')
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => gql(RetryWebhookDeliveryDocument, { input: { id } }),
    onSuccess: () => notifyDone(t('resent')),
    onError: notifyError,
    // After a failure too: another member may have sent it.
    onSettled: () => refreshWebhooks(queryClient),
  })
  return (
    <Button
      size="compact-sm"
      variant="default"
      className="panel-row-control"
      loading={isPending}
      onClick={() => mutate()}
      aria-label={t('resendOf', { event: nameOf(event) })}
    >
      {t('resend')}
    </Button>
  )
}
