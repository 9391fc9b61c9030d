import { Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { MayChange, refreshViewer, useViewer } from '@/features/auth'
import { Rule } from '@/features/secondFactor'
import { NameForm, Section, SettingsFrame } from '@/features/settings'
import { gql } from '@/shared/gql'
import { AppLink, FormShape, QueryView } from '@/shared/ui'
import { LeaveButton } from './leaving'
import { membersQuery, UpdateAccountDocument } from './queries'

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
      <Section title={t('leave')}>
        <QueryView query={useQuery(membersQuery)} loading={<FormShape />}>
          {({ me, viewer: { members } }) => {
            const owners = members.filter(({ role }) => role === 'OWNER')
            if (owners.length === 1 && owners[0]?.userId === me.id) return <OnlyOwner />
            return (
              <>
                <Text c="dimmed">{t('leaveText')}</Text>
                <Group>
                  <LeaveButton />
                </Group>
              </>
            )
          }}
        </QueryView>
      </Section>
    </SettingsFrame>
  )
}

/** Why the only owner cannot leave, and what to do first. */
function OnlyOwner() {
  const { t } = useTranslation(['members', 'settings'])
  return (
    <>
      <Text c="dimmed">{t('onlyOwner')}</Text>
      <Group gap="md">
        <AppLink to="/settings/members">{t('title')}</AppLink>
        <AppLink to="/settings/data">{t('settings:deleteAccount')}</AppLink>
      </Group>
    </>
  )
}
