import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { MayChange, refreshViewer, useViewer } from '@/features/auth'
import { ThemeControl } from '@/features/shell'
import { gql } from '@/shared/gql'
import { QueryView } from '@/shared/ui'
import { Address } from './Address'
import { NameForm } from './NameForm'
import { UpdateAccountDocument, UpdateUserDocument } from './queries'
import { Section, SettingsFrame } from './SettingsFrame'

/** Who the user is, and how the panel looks to them. */
export function ProfilePage() {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const viewer = useViewer()
  const saveOwn = async (name: string) => {
    const { updateUser } = await gql(UpdateUserDocument, { input: { name } })
    await refreshViewer(queryClient)
    return updateUser.user.name
  }
  const saveAccount = async (name: string) => {
    const { updateAccount } = await gql(UpdateAccountDocument, { input: { name } })
    await refreshViewer(queryClient)
    return updateAccount.account.name
  }
  return (
    <SettingsFrame title={t('profile')}>
      <Section title={t('yourName')} text={t('yourNameHelp')}>
        <QueryView query={viewer}>
          {({ me: { name } }) => <NameForm aria-label={t('yourName')} current={name} save={saveOwn} />}
        </QueryView>
      </Section>
      <Section title={t('account')}>
        <QueryView query={viewer}>
          {({ viewer: { name } }) => (
            <MayChange least="OWNER">
              <NameForm label={t('name')} current={name} save={saveAccount} />
            </MayChange>
          )}
        </QueryView>
      </Section>
      <Section title={t('email')} text={t('address.text')}>
        <Address />
      </Section>
      <Section title={t('theme')} text={t('themeText')}>
        <ThemeControl />
      </Section>
    </SettingsFrame>
  )
}
