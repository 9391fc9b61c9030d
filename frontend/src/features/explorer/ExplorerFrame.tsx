import { Alert, Anchor, Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { session } from '@/shared/gql'
import classes from './Explorer.module.css'

/** The frame around GraphiQL: links back, a notice, and the state of the sign-in. */
export function ExplorerFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('explorer')
  const ended = useSignInEnded()
  return (
    <div className={classes.page}>
      <Group component="header" className={classes.header} px="md" gap="md" justify="space-between">
        <Group gap="md">
          <Anchor href="/" c="var(--text)" fw={600} underline="never">
            {t('product', { ns: 'common' })}
          </Anchor>
          <Title order={1} fz="md">
            {t('title')}
          </Title>
        </Group>
        <Anchor href="/api-docs">{t('reference')}</Anchor>
      </Group>
      <Text role="note" className={classes.notice} px="md" py={6} size="sm">
        {t('notice')}
      </Text>
      {ended && (
        <Alert color="yellow" role="alert" radius={0} py="xs">
          {t('ended')}{' '}
          <Anchor href="/login" target="_blank" rel="noopener" inherit underline="always">
            {t('signIn')}
          </Anchor>
        </Alert>
      )}
      <main className={classes.main}>{children}</main>
    </div>
  )
}

/**
 * Whether the session has expired. The page then stays, with what was typed: signing in again in another tab is enough. Signing
 * out leaves the page, because it shows the account's answers.
 */
function useSignInEnded(): boolean {
  const [ended, setEnded] = useState(false)
  useEffect(
    () =>
      session.subscribe((event) => {
        if (event === 'signed-out' || event === 'elsewhere') window.location.replace('/login')
        else setEnded(event === 'expired')
      }),
    [],
  )
  return ended
}
