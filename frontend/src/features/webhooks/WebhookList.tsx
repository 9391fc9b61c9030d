import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { graphql } from '@/gql'
import type { CreateWebhookInput } from '@/gql/graphql'
import { gql } from '@/shared/gql'
import { EmptyState, KeyReveal, part, RowLink, useNewKey } from '@/shared/ui'
import { mostWebhooks, nameOf, refreshWebhooks, type Webhook } from './queries'
import { WebhookStateBadge } from './WebhookStateBadge'

const WebhookDialog = part(() => import('./WebhookDialog'))

const CreateWebhookDocument = graphql(`
  mutation CreateWebhook($input: CreateWebhookInput!) {
    createWebhook(input: $input) {
      secret
      webhook {
        id
        url
      }
    }
  }
`)

/** The webhooks, each a link to its deliveries. Owners add them; a new secret is shown once. */
export function WebhookList({ webhooks }: { webhooks: readonly Webhook[] }) {
  const { t } = useTranslation('webhooks')
  const heading = useRef<HTMLHeadingElement>(null)
  const [adding, setAdding] = useState(false)
  const creation = useNewKey(async (input: CreateWebhookInput) => {
    const { createWebhook } = await gql(CreateWebhookDocument, { input })
    return { apiKey: createWebhook.secret, exportName: createWebhook.webhook.url }
  }, refreshWebhooks)
  const full = webhooks.length >= mostWebhooks
  // The pressed button disappears; the focus stays in this part of the page.
  const saved = () => {
    creation.forget()
    setAdding(false)
    heading.current?.focus()
  }
  const add = (
    <May least="OWNER">
      {!full && !creation.shown && (
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          {t('add')}
        </Button>
      )}
    </May>
  )
  return (
    <>
      <Group justify="space-between" gap="sm" mih={32}>
        <div style={{ minWidth: 0, flex: '1 1 240px' }}>
          <Title order={2} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
            {t('title')}
          </Title>
          <Text c="dimmed">{t(full ? 'full' : 'text')}</Text>
        </div>
        {webhooks.length > 0 && add}
      </Group>
      {creation.shown && <KeyReveal {...creation.shown} kind="webhook" onSaved={saved} />}
      <Paper style={{ overflow: 'hidden' }}>
        {webhooks.length > 0 ? (
          <ul className="panel-list">
            {webhooks.map((webhook) => (
              <Item key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        ) : (
          <EmptyState
            icon={<IconWebhook size={32} stroke={1.4} aria-hidden />}
            title={t('empty')}
            text={t('emptyText')}
            action={add}
          />
        )}
      </Paper>
      {adding && !creation.shown && (
        <Suspense fallback={null}>
          <WebhookDialog
            title={t('addTitle')}
            submitLabel={t('add')}
            submit={creation.create}
            onClose={() => setAdding(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function Item({ webhook }: { webhook: Webhook }) {
  return (
    <Group component="li" className="panel-row" justify="space-between" gap="xs" px="md" py="xs">
      <div style={{ minWidth: 0, flex: '1 1 320px' }}>
        <RowLink to="." search={{ id: webhook.id }} translate="no">
          {webhook.url}
        </RowLink>
        <Text size="sm" c="dimmed">
          {webhook.events.map(nameOf).join(', ')}
        </Text>
      </div>
      <WebhookStateBadge webhook={webhook} />
    </Group>
  )
}
