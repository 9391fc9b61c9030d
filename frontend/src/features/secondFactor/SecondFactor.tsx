import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { secondFactorQuery } from '@/features/auth'
import { gql } from '@/shared/gql'
import { notifyDone, QueryView } from '@/shared/ui'
import { ProofDialog } from './ProofDialog'
import { RemoveSecondFactorDocument, RenewRecoveryCodesDocument, refreshFactor } from './queries'
import { RecoveryCodes } from './RecoveryCodes'
import { SetUp } from './SetUp'

/** The user's own two-factor authentication. */
export function SecondFactor() {
  const query = useQuery(secondFactorQuery)
  const queryClient = useQueryClient()
  const [codes, setCodes] = useState<string[]>()
  const show = (made: string[]) => {
    setCodes(made)
    void refreshFactor(queryClient)
  }
  if (codes) return <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />
  return (
    <QueryView query={query}>
      {({ me: { secondFactor, recoveryCodesLeft, emailVerified } }) =>
        secondFactor ? <On left={recoveryCodesLeft} proved={emailVerified} onCodes={show} /> : <SetUp onCodes={show} />
      }
    </QueryView>
  )
}

/** So many recovery codes are few. */
const few = 3

function On({ left, proved, onCodes }: { left: number; proved: boolean; onCodes: (codes: string[]) => void }) {
  const { t } = useTranslation('secondFactor')
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState<'renew' | 'remove'>()
  const close = () => setAsking(undefined)
  const remove = async (input: { password: string; code: string }) => {
    await gql(RemoveSecondFactorDocument, { input })
    notifyDone(t('removed'))
    await refreshFactor(queryClient)
  }
  const renew = async (input: { password: string; code: string }) =>
    onCodes((await gql(RenewRecoveryCodesDocument, { input })).renewRecoveryCodes.recoveryCodes)
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Badge color="green">{t('on')}</Badge>
        <Text c={left <= few ? 'var(--warn)' : undefined} fw={left <= few ? 500 : undefined}>
          {t(left <= few ? 'fewLeft' : 'left', { count: left })}
        </Text>
      </Group>
      {!proved && <Text c="var(--warn)">{t('unproved')}</Text>}
      <Group gap="xs">
        <Button variant={left <= few ? 'filled' : 'default'} onClick={() => setAsking('renew')}>
          {t('renew')}
        </Button>
        <Button variant="default" c="var(--bad)" onClick={() => setAsking('remove')}>
          {t('remove')}
        </Button>
      </Group>
      {asking === 'renew' && (
        <ProofDialog
          title={t('renewTitle')}
          text={t('renewText')}
          submitLabel={t('renew')}
          submit={renew}
          onClose={close}
        />
      )}
      {asking === 'remove' && (
        <ProofDialog
          title={t('removeTitle')}
          text={t('removeText')}
          submitLabel={t('remove')}
          danger
          submit={remove}
          onClose={close}
        />
      )}
    </Stack>
  )
}
