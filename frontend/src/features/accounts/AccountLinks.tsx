import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { accountId, switchAccount } from '@/shared/gql'
import { myAccountsQuery } from './queries'

type Props = {
  title?: string
  /** The path in the other account; the first page by default. */
  path?: string
}

/** Links to the user's other accounts, for pages that this account cannot show. */
export default function AccountLinks({ title, path }: Props) {
  const { t } = useTranslation('members')
  const data = useQuery(myAccountsQuery).data
  const accounts = data?.me.memberships.map(({ account }) => account) ?? []
  // Before the service has let the user into an account, it is the first one that it does not open.
  const here = accountId() ?? accounts[0]?.accountId
  const others = accounts.filter((account) => account.accountId !== here)
  if (others.length === 0) return null
  return (
    <Stack gap="xs" align="flex-start">
      <Text fw={600}>{title ?? t('account.others')}</Text>
      {others.map(({ accountId: id, name }) => (
        <Button key={id} variant="default" maw="100%" onClick={() => switchAccount(id, path)}>
          <Text span inherit truncate className="panel-user-text">
            {name}
          </Text>
        </Button>
      ))}
    </Stack>
  )
}
