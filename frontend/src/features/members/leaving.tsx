import { Anchor, Button, Checkbox, List, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { forgetAccount, gql, page } from '@/shared/gql'
import { confirm, LoadingState, notifyDone } from '@/shared/ui'
import { LeaveAccountDocument, type Member, madeKeysQuery, RemoveMemberDocument, refreshMembers } from './queries'

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

/** The exports that run on keys which a member made, and so may know. */
function MadeKeys({ userId }: { userId: string }) {
  const { t } = useTranslation('members')
  const { data, isPending } = useQuery(madeKeysQuery(userId))
  if (isPending) return <LoadingState rows={1} />
  if (!data || data.length === 0) return null
  return (
    <div>
      <Text>{t('keysText')}</Text>
      <List mt={4}>
        {data.map(({ id, name }) => (
          <List.Item key={id}>
            <span className="panel-user-text">{name}</span> {/* Dialogs stand outside the router. */}
            <Anchor href={`/exports/${id}`} target="_blank" aria-label={t('replaceOf', { name })}>
              {t('replace')}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </div>
  )
}

/** Ends one's own membership. */
export function LeaveButton() {
  const { t } = useTranslation('members')
  const leave = () =>
    confirm({
      title: t('leaveTitle'),
      body: t('leaveText'),
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
