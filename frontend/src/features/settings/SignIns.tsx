import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { gql, session } from '@/shared/gql'
import { RelativeTime } from '@/shared/time'
import { confirm, notifyDone, QueryView, TableShape } from '@/shared/ui'
import { browserName } from './browserName'
import { EndSignInDocument, refreshSignIns, type SignIn, SignOutEverywhereDocument, signInsQuery } from './queries'

export function SignIns() {
  const { t } = useTranslation('settings')
  const query = useQuery(signInsQuery)
  const endAll = () =>
    confirm({
      title: t('endAllTitle'),
      body: t('endAllText'),
      confirmLabel: t('endAll'),
      danger: true,
      onConfirm: async () => {
        await gql(SignOutEverywhereDocument)
        session.signedOut()
      },
    })
  return (
    <QueryView query={query} loading={<TableShape bare head={0} rows={2} columns={2} two />}>
      {({ viewer: { signIns } }) => (
        <Stack gap="sm">
          <ul className="panel-list">
            {signIns.map((signIn) => (
              <Item key={signIn.id} signIn={signIn} />
            ))}
          </ul>
          <Group>
            <Button variant="default" onClick={endAll}>
              {t('endAll')}
            </Button>
          </Group>
        </Stack>
      )}
    </QueryView>
  )
}

function Item({ signIn }: { signIn: SignIn }) {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const browser = browserName(signIn.browser) || t('unknownBrowser')
  const end = () =>
    confirm({
      title: t('endTitle', { browser }),
      body: t('endText', { address: signIn.address }),
      confirmLabel: t('end'),
      danger: true,
      onConfirm: async () => {
        await gql(EndSignInDocument, { input: { id: signIn.id } })
        await refreshSignIns(queryClient)
        notifyDone(t('ended'))
      },
    })
  return (
    <Group component="li" justify="space-between" gap="sm" py="xs">
      <div style={{ minWidth: 0, flex: '1 1 220px' }}>
        <Group gap="xs">
          <Text fw={500} className="panel-user-text">
            {browser}
          </Text>
          {signIn.current && <Badge color="indigo">{t('thisOne')}</Badge>}
        </Group>
        <Text size="sm" c="dimmed" component="div" className="panel-user-text">
          {signIn.address} · {t('lastUsed')} <RelativeTime time={signIn.lastUsedAt} /> · {t('since')}{' '}
          <RelativeTime time={signIn.createdAt} />
        </Text>
      </div>
      {!signIn.current && (
        <Button size="xs" variant="default" onClick={end} aria-label={t('endOf', { browser, address: signIn.address })}>
          {t('end')}
        </Button>
      )}
    </Group>
  )
}
