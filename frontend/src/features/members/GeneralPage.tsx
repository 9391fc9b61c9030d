import { Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { MayChange, refreshViewer, useViewer } from '@/features/auth'
import { Rule } from '@/features/secondFactor'
import { NameForm, Section, SettingsFrame } from '@/features/settings'
import { gql } from '@/shared/gql'
import { FormShape, QueryView } from '@/shared/ui'
import { LeaveButton } from './leaving'
import { UpdateAccountDocument } from './queries'

/** The name of the account, what it requires of its members, and how to leave it. */
export function GeneralPage() {
  const { t } = useTranslation(['members', 'settings'])
  const queryClient = useQueryClient()
  const viewer = useViewer()
  const save = async (name: string) => {
    const { updateAccount } = await gql(UpdateAccountDocument, { input: { name } })
    await refreshViewer(queryClient)
    return updateAccount.account.name
  }
  return (
    <SettingsFrame title={t('settings:general')}>
      <Section title={t('settings:name')}>
        <QueryView query={viewer} loading={<FormShape />}>
          {({ viewer: { name } }) => (
            <MayChange least="OWNER">
              <NameForm aria-label={t('settings:name')} current={name} save={save} />
            </MayChange>
          )}
        </QueryView>
      </Section>
      <Section title={t('settings:secondFactor')}>
        <Rule />
      </Section>
      <Section title={t('leave')} text={t('leaveText')}>
        <Group>
          <LeaveButton />
        </Group>
      </Section>
    </SettingsFrame>
  )
}
