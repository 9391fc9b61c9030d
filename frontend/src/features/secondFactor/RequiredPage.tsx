import { Text, UnstyledButton } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AccountLinks } from '@/features/accounts'
import { AuthPage, signOut } from '@/features/auth'
import { notifyError } from '@/shared/ui'
import { RecoveryCodes } from './RecoveryCodes'
import { SetUp } from './SetUp'

/** Stands in for every page while the service, or the account, asks for a second factor that the user does not have. */
export function RequiredPage({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('secondFactor')
  const [codes, setCodes] = useState<string[]>()
  return (
    <AuthPage
      title={t('required')}
      wide
      foot={
        <UnstyledButton
          type="button"
          onClick={() => signOut().catch(notifyError)}
          c="var(--accent-text)"
          fz="md"
          td="underline"
        >
          {t('signOut')}
        </UnstyledButton>
      }
    >
      {codes ? (
        <RecoveryCodes codes={codes} onKept={onDone} />
      ) : (
        <>
          <Text>{t('requiredText')}</Text>
          <SetUp onCodes={setCodes} />
          <Suspense fallback={null}>
            <AccountLinks />
          </Suspense>
        </>
      )}
    </AuthPage>
  )
}
