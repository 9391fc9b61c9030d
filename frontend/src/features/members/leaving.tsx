import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { forgetAccount, gql, page } from '@/shared/gql'
import { confirm, notifyDone } from '@/shared/ui'
import { MadeKeys, MadeTokens } from './Made'
import { LeaveAccountDocument, type Member, RemoveMemberDocument, refreshMembers } from './queries'

/** Removes a member after a confirmation, which lists the keys that they know. */
export function useRemove() {
  const { t } = useTranslation('members')
  const queryClient = useQueryClient()
  return ({ userId, name }: Member) => {
    let removeTokens = true
    return confirm({
      title: t('removeTitle', { name }),
      body: (
        <Stack gap="sm">
          <Text>{t('removeText')}</Text>
          <Checkbox
            label={t('removeTokens')}
            defaultChecked
            onChange={(event) => {
              removeTokens = event.currentTarget.checked
            }}
          />
          <MadeKeys userId={userId} />
        </Stack>
      ),
      confirmLabel: t('remove'),
      danger: true,
      onConfirm: async () => {
        await gql(RemoveMemberDocument, { input: { userId, removeTokens } })
        await refreshMembers(queryClient)
        void notifyDone(t('removed', { name }))
      },
    })
  }
}

/** Ends one's own membership. */
export function LeaveButton() {
  const { t } = useTranslation('members')
  const leave = () =>
    confirm({
      title: t('leaveTitle'),
      body: (
        <Stack gap="sm">
          <Text>{t('leaveText')}</Text>
          <MadeTokens />
        </Stack>
      ),
      confirmLabel: t('leave'),
      danger: true,
      onConfirm: async () => {
        await gql(LeaveAccountDocument)
        forgetAccount()
        page.load('/')
      },
    })
  return (
    <Button variant="default" c="var(--bad)" onClick={() => void leave()}>
      {t('leave')}
    </Button>
  )
}
