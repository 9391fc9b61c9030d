import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { refreshViewer, useViewer } from '@/features/auth'
import { ThemeControl } from '@/features/shell'
import { gql } from '@/shared/gql'
import { FormShape, QueryView } from '@/shared/ui'
import { Address } from './Address'
import { NameForm } from './NameForm'
import { UpdateUserDocument } from './queries'
import { Section, SettingsFrame } from './SettingsFrame'

/** Who the user is, and how the panel looks to them. */
export function ProfilePage() {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const viewer = useViewer()
  const save = async (name: string) => {
    const { updateUser } = await gql(UpdateUserDocument, { input: { name } })
    await refreshViewer(queryClient)
    return updateUser.user.name
  }
  return (
    <SettingsFrame title={t('profile')}>
      <Section title={t('yourName')} text={t('yourNameHelp')}>
        <QueryView query={viewer} loading={<FormShape />}>
          {({ me: { name } }) => <NameForm aria-label={t('yourName')} current={name} save={save} />}
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
