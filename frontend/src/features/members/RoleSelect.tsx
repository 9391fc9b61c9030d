import { NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { roles } from '@/features/auth'
import type { Role } from '@/gql/graphql'
import { gql } from '@/shared/gql'
import { confirm, notifyDone, notifyError } from '@/shared/ui'
import { MadeKeys, MadeTokens } from './Made'
import { type Member, refreshMembers, SetMemberRoleDocument } from './queries'

/** The role. A higher one counts at once, a lower one after a question, which says what keeps working anyway. */
export function RoleSelect({ member: { userId, name, role }, isMe }: { member: Member; isMe: boolean }) {
  const { t } = useTranslation(['members', 'common'])
  const queryClient = useQueryClient()
  const set = async (next: Role) => {
    await gql(SetMemberRoleDocument, { input: { userId, role: next } })
    await refreshMembers(queryClient)
    void notifyDone(t('roleSet', { name, role: t(`common:role.${next}`) }))
  }
  const change = useMutation({ mutationFn: set, onError: notifyError })
  const ask = (next: Role) =>
    confirm({
      title: isMe ? t('ownRoleTitle') : t('lowerTitle', { name }),
      body: (
        <Stack gap="sm">
          <Text>{t(isMe ? 'ownRoleText' : 'lowerText')}</Text>
          <MadeTokens userId={isMe ? undefined : userId} />
          {!isMe && <MadeKeys userId={userId} />}
        </Stack>
      ),
      confirmLabel: t(isMe ? 'ownRole' : 'lower', { role: t(`common:role.${next}`) }),
      danger: isMe,
      onConfirm: () => set(next),
    })
  const choose = (next: Role) => (roles.indexOf(next) < roles.indexOf(role) ? void ask(next) : change.mutate(next))
  return (
    <NativeSelect
      size="xs"
      w={108}
      mt={{ base: 4, sm: 0 }}
      aria-label={t('roleOf', { name })}
      data={roles.map((value) => ({ value, label: t(`common:role.${value}`) }))}
      value={change.isPending ? change.variables : role}
      disabled={change.isPending}
      onChange={({ currentTarget }) => choose(currentTarget.value as Role)}
    />
  )
}
