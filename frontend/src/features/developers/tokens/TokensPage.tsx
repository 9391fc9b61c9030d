import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { SettingsFrame } from '@/features/settings'
import type { CreateAccountTokenInput } from '@/gql/graphql'
import { gql } from '@/shared/gql'
import { RelativeTime } from '@/shared/time'
import { confirm, EmptyState, KeyReveal, notifyDone, QueryView, TableShape, useNewKey } from '@/shared/ui'
import { NewToken } from './NewToken'
import {
  type AccountToken,
  accountTokensQuery,
  CreateAccountTokenDocument,
  RemoveAccountTokenDocument,
  refreshTokens,
} from './queries'

/** The account tokens of programs. Owners create and remove them; each is shown once. */
export function TokensPage() {
  const { t } = useTranslation('developers')
  return (
    <SettingsFrame title={t('tokens')}>
      {useMay('OWNER') ? (
        <Tokens />
      ) : (
        <Paper>
          <EmptyState title={t('tokensOwners')} text={t('tokensOwnersText')} />
        </Paper>
      )}
    </SettingsFrame>
  )
}

function Tokens() {
  const { t } = useTranslation('developers')
  const query = useQuery(accountTokensQuery)
  const heading = useRef<HTMLHeadingElement>(null)
  const creation = useNewKey(async (input: CreateAccountTokenInput) => {
    const { createAccountToken } = await gql(CreateAccountTokenDocument, { input })
    return { apiKey: createAccountToken.secret, exportName: createAccountToken.accountToken.name }
  }, refreshTokens)
  // The pressed button disappears; the focus stays in this part of the page.
  const saved = () => {
    creation.forget()
    heading.current?.focus()
  }
  return (
    <>
      <Paper p="md" component="section">
        <Title order={2} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {t('newToken')}
        </Title>
        <Text c="dimmed" mb="sm">
          {t('tokensText')}
        </Text>
        {creation.shown ? (
          <KeyReveal {...creation.shown} kind="token" onSaved={saved} />
        ) : (
          <NewToken create={creation.create} />
        )}
      </Paper>
      <QueryView query={query} loading={<TableShape bare head={0} rows={3} columns={2} two />}>
        {({ viewer: { accountTokens } }) => (
          <Paper>
            {accountTokens?.length ? (
              <ul className="panel-list">
                {accountTokens.map((token) => (
                  <Item key={token.id} token={token} onRemoved={() => heading.current?.focus()} />
                ))}
              </ul>
            ) : (
              <EmptyState title={t('noTokens')} text={t('noTokensText')} />
            )}
          </Paper>
        )}
      </QueryView>
    </>
  )
}

function Item({ token, onRemoved }: { token: AccountToken; onRemoved: () => void }) {
  const { t } = useTranslation('developers')
  const queryClient = useQueryClient()
  const { name } = token
  const remove = () =>
    confirm({
      title: t('removeTokenTitle', { name }),
      body: t('removeTokenText'),
      confirmLabel: t('removeToken'),
      danger: true,
      onConfirm: async () => {
        await gql(RemoveAccountTokenDocument, { input: { id: token.id } })
        await refreshTokens(queryClient)
        notifyDone(t('tokenRemoved'))
        onRemoved()
      },
    })
  return (
    <Group component="li" justify="space-between" gap="sm" px="md" py="xs">
      <div style={{ minWidth: 0, flex: '1 1 220px' }}>
        <Text fw={500} className="panel-user-text">
          {name}
        </Text>
        <Text size="sm" c="dimmed" component="div" className="panel-user-text">
          {t(`tokenRoles.${token.role === 'EDITOR' ? 'EDITOR' : 'VIEWER'}`)} ·{' '}
          {token.createdBy.name ? t('tokenMadeBy', { name: token.createdBy.name }) : t('tokenMade')}{' '}
          <RelativeTime time={token.createdAt} /> · {token.lastUsedAt && t('tokenUsed')}{' '}
          <RelativeTime time={token.lastUsedAt} none={t('tokenUnused')} /> · {t('tokenStops')}{' '}
          <RelativeTime time={token.expiresAt} mayLieAhead />
        </Text>
      </div>
      <Button size="xs" variant="default" onClick={remove} aria-label={t('removeTokenOf', { name })}>
        {t('removeToken')}
      </Button>
    </Group>
  )
}
