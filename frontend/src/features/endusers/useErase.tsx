import { Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Scope, ScopeChoice } from '@/features/conversations'
import { gql } from '@/shared/gql'
import { forgetErased } from '@/shared/remembered'
import { confirm, notifyDone } from '@/shared/ui'
import { type Agent, DeleteEndUserDocument } from './queries'

/** Erases an end user after a confirmation: all conversations under the user_id, with one agent or with all. */
export function useErase(agent: Agent, onErased: () => void) {
  const { t } = useTranslation('endusers')
  const queryClient = useQueryClient()
  return (userId: string) => {
    // The dialog does not know its body's state, so the choice is kept here.
    let scope: Scope = 'agent'
    return confirm({
      title: t('eraseTitle', { userId }),
      body: (
        <Stack gap="sm">
          <Text>{t('eraseText')}</Text>
          <Text>{t('eraseKept')}</Text>
          <ScopeChoice
            agentName={agent.name}
            onChange={(chosen) => {
              scope = chosen
            }}
          />
        </Stack>
      ),
      confirmLabel: t('eraseUser'),
      danger: true,
      onConfirm: async () => {
        const input = scope === 'agent' ? { userId, agentId: agent.id } : { userId }
        const { deleteEndUser } = await gql(DeleteEndUserDocument, { input })
        // The pressed button goes with its row.
        onErased()
        void notifyDone(t('erasedDone', { count: deleteEndUser.deletedCount }))
        void forgetErased(queryClient)
      },
    })
  }
}
