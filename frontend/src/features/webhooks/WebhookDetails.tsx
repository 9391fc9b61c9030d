import { Group, Paper, Stack, Title } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { graphql } from '@/gql'
import { formatNumber } from '@/shared/format'
import { gql } from '@/shared/gql'
import { formatDateTime, RelativeTime } from '@/shared/time'
import { AppLink, KeyReveal, Missing, useNewKey } from '@/shared/ui'
import { Deliveries } from './deliveries/Deliveries'
import { nameOf, refreshWebhooks, type Webhook } from './queries'
import { WebhookActions } from './WebhookActions'
import { WebhookStateBadge } from './WebhookStateBadge'

const RotateWebhookSecretDocument = graphql(`
  mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
    rotateWebhookSecret(input: $input) {
      secret
      webhook {
        id
        url
      }
    }
  }
`)

/** One webhook with its actions and deliveries. */
export function WebhookDetails({ webhook }: { webhook: Webhook | undefined }) {
  const { t } = useTranslation('webhooks')
  return (
    <>
      <AppLink to="." search={{}} w="fit-content">
        {t('all')}
      </AppLink>
      {webhook ? (
        <Found webhook={webhook} />
      ) : (
        <Paper>
          <Missing title={t('notFound')} />
        </Paper>
      )}
    </>
  )
}

function Found({ webhook }: { webhook: Webhook }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const rotation = useNewKey(async (id: string) => {
    const { rotateWebhookSecret } = await gql(RotateWebhookSecretDocument, { input: { id } })
    return { apiKey: rotateWebhookSecret.secret, exportName: rotateWebhookSecret.webhook.url }
  }, refreshWebhooks)
  // The pressed button disappears; the focus stays in this part of the page.
  const saved = () => {
    rotation.forget()
    heading.current?.focus()
  }
  return (
    <>
      <Paper p="md" component="section">
        <Stack gap="sm">
          <Group gap="xs">
            <Title
              order={2}
              ref={heading}
              tabIndex={-1}
              translate="no"
              className="panel-user-text"
              style={{ outline: 'none' }}
            >
              {webhook.url}
            </Title>
            <WebhookStateBadge webhook={webhook} />
          </Group>
          <Facts webhook={webhook} />
          {!rotation.shown && <WebhookActions webhook={webhook} onRotate={() => rotation.create(webhook.id)} />}
        </Stack>
      </Paper>
      {rotation.shown && <KeyReveal {...rotation.shown} kind="webhook" onSaved={saved} />}
      <Deliveries webhook={webhook} />
    </>
  )
}

function Facts({ webhook: { events, createdBy, createdAt, previousSecretUntil, dropped } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  return (
    <dl className="panel-facts">
      <Fact name={t('events')}>{events.map(nameOf).join(', ')}</Fact>
      <Fact name={t('created')}>
        <RelativeTime time={createdAt} />
        {createdBy?.name && ` ${t('by', { name: createdBy.name })}`}
      </Fact>
      {previousSecretUntil && <Fact name={t('previousSecret')}>{formatDateTime(previousSecretUntil)}</Fact>}
      {dropped > 0 && (
        <Fact name={t('dropped')}>{t('droppedText', { count: dropped, amount: formatNumber(dropped) })}</Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="panel-user-text">{children}</dd>
    </>
  )
}
