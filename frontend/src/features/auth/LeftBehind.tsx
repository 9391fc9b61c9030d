import { Alert, List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ResetPasswordMutation } from '@/gql/graphql'
import { RelativeTime } from '@/shared/time'

type Props = { left: NonNullable<ResetPasswordMutation['resetPassword']['leftBehind']> }

/** Lists the access that another person may have left behind, who had signed up with this address. Renders nothing if there is none. */
export function LeftBehind({ left: { members, keys } }: Props) {
  const { t } = useTranslation('auth')
  if (members.length === 0 && keys.length === 0) return null
  return (
    <Alert color="yellow" title={t('left.title')}>
      <Text>{t('left.text')}</Text>
      <List>
        {members.map((email) => (
          <List.Item key={email} className="panel-user-text">
            {t('left.member', { email })}
          </List.Item>
        ))}
        {keys.map(({ exportName, createdAt }) => (
          <List.Item key={exportName + createdAt} className="panel-user-text">
            {t('left.key', { name: exportName })} <RelativeTime time={createdAt} />
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
