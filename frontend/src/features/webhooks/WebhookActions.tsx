import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { graphql } from '@/gql'
import type { UpdateWebhookInput } from '@/gql/graphql'
import { gql } from '@/shared/gql'
import { confirm, notifyDone, notifyError, part } from '@/shared/ui'
import { refreshWebhooks, type Webhook } from './queries'

const WebhookDialog = part(() => import('./WebhookDialog'))

const UpdateWebhookDocument = graphql(`
  mutation UpdateWebhook($input: UpdateWebhookInput!) {
    updateWebhook(input: $input) {
      webhook {
        id
      }
    }
  }
`)

const DeleteWebhookDocument = graphql(`
  mutation DeleteWebhook($input: DeleteWebhookInput!) {
    deleteWebhook(input: $input) {
      deletedWebhookId
    }
  }
`)

const TestWebhookDocument = graphql(`
  mutation TestWebhook($input: TestWebhookInput!) {
    testWebhook(input: $input) {
      delivery {
        id
      }
    }
  }
`)

type Props = { webhook: Webhook; onRotate: () => Promise<void> }

/** The actions of a webhook: editors send test events, owners do the rest. Only the operator allows a stopped one again. */
export function WebhookActions({ webhook, onRotate }: Props) {
  const { id, state } = webhook
  return (
    <Group gap="xs">
      {state === 'ON' && <TestButton id={id} />}
      <May least="OWNER">
        {state !== 'STOPPED' && <ChangeButtons webhook={webhook} />}
        <SecretButtons webhook={webhook} onRotate={onRotate} />
      </May>
    </Group>
  )
}

function TestButton({ id }: { id: string }) {
  const { t } = useTranslation('webhooks')
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => gql(TestWebhookDocument, { input: { id } }),
    onSuccess: () => {
      void notifyDone(t('tested'))
      return refreshWebhooks(queryClient)
    },
    onError: notifyError,
  })
  return (
    <Button loading={isPending} onClick={() => mutate()}>
      {t('test')}
    </Button>
  )
}

function ChangeButtons({ webhook: { id, url, events, state } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const queryClient = useQueryClient()
  const [editing, setEditing] = useState(false)
  const on = state === 'ON'
  const update = async (change: Omit<UpdateWebhookInput, 'id'>, done: string) => {
    await gql(UpdateWebhookDocument, { input: { id, ...change } })
    await refreshWebhooks(queryClient)
    void notifyDone(done)
  }
  const { mutate, isPending } = useMutation({
    mutationFn: () => update({ paused: on }, t(on ? 'paused' : 'resumed')),
    onError: notifyError,
  })
  return (
    <>
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        {t(on ? 'pause' : 'resume')}
      </Button>
      <Button variant="default" onClick={() => setEditing(true)}>
        {t('edit')}
      </Button>
      {editing && (
        <Suspense fallback={null}>
          <WebhookDialog
            title={t('editTitle')}
            submitLabel={t('save')}
            initial={{ url, events }}
            submit={async (values) => {
              await update(values, t('saved'))
              setEditing(false)
            }}
            onClose={() => setEditing(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function SecretButtons({ webhook: { id, url, previousSecretUntil }, onRotate }: Props) {
  const { t } = useTranslation('webhooks')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const rotate = () =>
    confirm({
      title: t('rotateTitle', { url }),
      body: (
        <Stack gap="xs">
          <Text>{t('rotateText')}</Text>
          {previousSecretUntil && <Text>{t('rotateAgain')}</Text>}
        </Stack>
      ),
      confirmLabel: t('rotate'),
      onConfirm: onRotate,
    })
  const remove = () =>
    confirm({
      title: t('deleteTitle', { url }),
      body: t('deleteText'),
      confirmLabel: t('delete'),
      danger: true,
      onConfirm: async () => {
        await gql(DeleteWebhookDocument, { input: { id } })
        await navigate({ to: '.', search: {}, replace: true })
        await refreshWebhooks(queryClient)
        void notifyDone(t('deleted'))
      },
    })
  return (
    <>
      <Button variant="default" onClick={rotate}>
        {t('rotate')}
      </Button>
      <Button variant="default" c="var(--bad)" onClick={remove}>
        {t('delete')}
      </Button>
    </>
  )
}
