import { Anchor, List, Text } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { LoadingState } from '@/shared/ui'
import { madeKeysQuery, madeTokensQuery } from './queries'

/** The exports that run on keys which a member made, and so may know. */
export function MadeKeys({ userId }: { userId: string }) {
  const { t } = useTranslation('members')
  const query = useQuery(madeKeysQuery(userId))
  return (
    <Made query={query} text={t('keysText')} failed={t('keysFailed')}>
      {({ id, name }) => (
        <Away to={`/exports/${id}`} label={t('replaceOf', { name })}>
          {t('replace')}
        </Away>
      )}
    </Made>
  )
}

/** The account tokens that a member, or the reader, made, and that keep working. Only owners are shown them. */
export function MadeTokens({ userId }: { userId?: string }) {
  const { t } = useTranslation('members')
  const may = useMay('OWNER')
  const query = useQuery({ ...madeTokensQuery(userId), enabled: may })
  return (
    <Made
      query={query}
      text={t(userId ? 'tokensText' : 'tokensTextMine')}
      failed={t('tokensFailed')}
      foot={<Away to="/settings/tokens">{t('toTokens')}</Away>}
    />
  )
}

type Thing = { id: string; name: string }

type MadeProps = {
  query: UseQueryResult<readonly Thing[]>
  text: string
  /** Said if it is not known whether there are any, which would look like none. */
  failed: string
  /** What can be done about one of them. */
  children?: (thing: Thing) => ReactNode
  foot?: ReactNode
}

function Made({ query: { data = [], isLoading, isError }, text, failed, children, foot }: MadeProps) {
  if (isLoading) return <LoadingState />
  if (isError) {
    return (
      <Text role="alert" c="var(--bad)">
        {failed}
      </Text>
    )
  }
  if (data.length === 0) return null
  return (
    <div>
      <Text>{text}</Text>
      <List my={4}>
        {data.map((thing) => (
          <List.Item key={thing.id}>
            <span className="panel-user-text">{thing.name}</span> {children?.(thing)}
          </List.Item>
        ))}
      </List>
      {foot}
    </div>
  )
}

/** A link out of a dialog, which stands outside the router and stays open. */
function Away({ to, label, children }: { to: string; label?: string; children: ReactNode }) {
  return (
    <Anchor href={to} target="_blank" aria-label={label}>
      {children}
    </Anchor>
  )
}
