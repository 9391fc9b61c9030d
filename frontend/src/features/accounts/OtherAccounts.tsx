import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { accountId, switchAccount } from '@/shared/gql'
import { myAccountsQuery } from './queries'

/** The ways out of an account that the service closes to everybody: it is suspended. */
export function OtherAccounts() {
  const { t } = useTranslation('members')
  const data = useQuery(myAccountsQuery).data
  const others = data?.me.memberships.filter(({ account: { id } }) => id !== accountId()) ?? []
  if (others.length === 0) return null
  return (
    <Stack gap="xs" mt="md" align="flex-start">
      <Text fw={600}>{t('account.others')}</Text>
      {others.map(({ account: { id, name } }) => (
        <Button key={id} variant="default" onClick={() => switchAccount(id)} className="panel-user-text">
          {name}
        </Button>
      ))}
    </Stack>
  )
}
