import { Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { WebhookEvent } from '@/gql/graphql'
import { i18n } from '@/shared/i18n'
import { Dialog, DialogForm, useApiForm } from '@/shared/ui'
import { nameOf } from './queries'

const events = [
  'MESSAGE_COMPLETED',
  'MESSAGE_FAILED',
  'CREDITS_LOW',
  'CREDITS_USED_UP',
  'EXPORT_LIMIT_NEAR',
  'KEY_STOPS_SOON',
  'VERSION_PUBLISHED',
  'MEMBER_ADDED',
  'MEMBER_REMOVED',
  'MEMBER_ROLE_CHANGED',
  'RATING_GIVEN',
] as const satisfies readonly WebhookEvent[]

/** A URL without a user name or a fragment. The service knows whether its address, or http, is allowed. */
const address = /^https?:\/\/[^\s/?#@]+([/?][^\s#]*)?$/i

const schema = z.object({
  url: z.string().check(z.trim(), z.regex(address, { error: () => i18n.t('webhooks:wrongUrl') })),
  events: z.custom<WebhookEvent[]>((chosen) => (chosen as WebhookEvent[]).length > 0, {
    error: () => i18n.t('webhooks:noEvents'),
  }),
})

type Values = { url: string; events: WebhookEvent[] }

type Props = {
  title: string
  submitLabel: string
  initial?: Values
  submit: (values: Values) => Promise<unknown>
  onClose: () => void
}

/** Asks for the URL and the events of a webhook. Loaded on first use. */
export default function WebhookDialog({ title, submitLabel, initial, submit, onClose }: Props) {
  const { t } = useTranslation('webhooks')
  const api = useApiForm<Values>({
    initialValues: { url: initial?.url ?? '', events: initial?.events ?? [] },
    schema,
    submit: ({ url, events }) => submit({ url: url.trim(), events }),
  })
  const { form } = api
  return (
    <Dialog onClose={() => !api.pending && onClose()} title={title} size={560}>
      <DialogForm api={api} submitLabel={submitLabel} onCancel={onClose}>
        <TextInput
          label={t('url')}
          type="url"
          placeholder="https://example.com/webhooks"
          data-autofocus
          key={form.key('url')}
          {...form.getInputProps('url')}
        />
        <Checkbox.Group label={t('events')} key={form.key('events')} {...form.getInputProps('events')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="xs" my="xs">
            {events.map((event) => (
              <Checkbox key={event} value={event} label={t(`event.${event}`)} description={nameOf(event)} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      </DialogForm>
    </Dialog>
  )
}
