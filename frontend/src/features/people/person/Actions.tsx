import { ActionIcon, Button, Menu, Stack, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Scope, ScopeChoice } from '@/features/conversations'
import { gql } from '@/shared/gql'
import { forgetErased } from '@/shared/remembered'
import { agentChoicesQuery, confirm, notifyDone, notifyError } from '@/shared/ui'
import { BlockEndUserDocument, DeleteEndUserDocument, UnblockEndUserDocument } from '../queries'
import type { Person } from './Figures'

/** Blocks a person, or unblocks one who is blocked. */
export function BlockButton({ person: { userId, blocked } }: { person: Person }) {
  const { t } = useTranslation('people')
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const input = { userId }
      await (blocked ? gql(UnblockEndUserDocument, { input }) : gql(BlockEndUserDocument, { input }))
      void queryClient.invalidateQueries({ queryKey: ['people'] })
      await queryClient.invalidateQueries({ queryKey: ['person'] })
      void notifyDone(t(blocked ? 'unblockedDone' : 'blockedDone', { userId }))
    },
    onError: notifyError,
  })
  return (
    <Button variant="default" loading={isPending} onClick={() => mutate()}>
      {t(blocked ? 'unblock' : 'block')}
    </Button>
  )
}

/** What cannot be undone is in a menu. With an agent, only its conversations can be erased, too. */
export function EraseMenu({ userId, agentId }: { userId: string; agentId: string | undefined }) {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const agents = useQuery({ ...agentChoicesQuery, enabled: agentId !== undefined })
  const erase = useErase(
    agents.data?.find(({ id }) => id === agentId),
    () => navigate({ to: '/activity/people', search: { agent: agentId } }),
  )
  if (agentId && agents.isPending) return null // or the question could not say whose conversations go
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={32} aria-label={t('more')}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item c="var(--bad)" onClick={() => void erase(userId)}>
          {t('erase')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Erases a person after a confirmation: all conversations under the user_id, with all agents or, if there is one, with that agent. */
function useErase(agent: { id: string; name: string } | undefined, onErased: () => Promise<void>) {
  const { t } = useTranslation('people')
  const queryClient = useQueryClient()
  return (userId: string) => {
    // The dialog does not know its body's state, so the choice is kept here.
    let scope: Scope = agent ? 'agent' : 'all'
    return confirm({
      title: t('eraseTitle', { userId }),
      body: (
        <Stack gap="sm">
          <Text>{t('eraseText')}</Text>
          <Text>{t('eraseKept')}</Text>
          {agent && (
            <ScopeChoice
              agentName={agent.name}
              onChange={(chosen) => {
                scope = chosen
              }}
            />
          )}
        </Stack>
      ),
      confirmLabel: t('erasePerson'),
      danger: true,
      onConfirm: async () => {
        const input = agent && scope === 'agent' ? { userId, agentId: agent.id } : { userId }
        const { deleteEndUser } = await gql(DeleteEndUserDocument, { input })
        // The page of the person goes with them, and then what it had read.
        await onErased()
        void notifyDone(t('erasedDone', { count: deleteEndUser.deletedCount }))
        void forgetErased(queryClient)
      },
    })
  }
}
