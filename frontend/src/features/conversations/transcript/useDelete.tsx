import { Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { gql, hasCode } from '@/shared/gql'
import { forgetErased } from '@/shared/remembered'
import { confirm, notifyDone } from '@/shared/ui'
import classes from '../Conversations.module.css'
import { type Conversation, DeleteConversationDocument, DeleteConversationsDocument } from '../queries'
import { type Scope, ScopeChoice } from '../ScopeChoice'

/** Deletes, after a confirmation, one conversation or all with its session ID, and then closes it. */
export function useDelete({ id, sessionId, agent }: Conversation, close: () => Promise<void>) {
  const { t } = useTranslation('conversations')
  const queryClient = useQueryClient()

  const leave = async () => {
    await close()
    void forgetErased(queryClient)
  }

  const deleteOne = () =>
    confirm({
      title: t('deleteTitle'),
      body: (
        <Stack gap="xs">
          <Label text={sessionId} />
          <Text>{t('deleteText')}</Text>
        </Stack>
      ),
      confirmLabel: t('delete'),
      danger: true,
      onConfirm: async () => {
        try {
          await gql(DeleteConversationDocument, { input: { id } })
        } catch (error) {
          // Already deleted elsewhere, which is fine.
          if (!hasCode(error, 'NOT_FOUND')) throw error
        }
        void notifyDone(t('deletedDone'))
        await leave()
      },
    })

  const deleteLabel = () => {
    // The dialog does not know its body's state, so the choice is kept here.
    let scope: Scope = 'agent'
    return confirm({
      title: t('deleteAllTitle'),
      body: (
        <Stack gap="sm">
          <Label text={sessionId} />
          <Text>{t('deleteAllText')}</Text>
          <ScopeChoice
            agentName={agent.name}
            onChange={(chosen) => {
              scope = chosen
            }}
          />
        </Stack>
      ),
      confirmLabel: t('deleteAll'),
      danger: true,
      onConfirm: async () => {
        const input = scope === 'agent' ? { sessionId, agentId: agent.id } : { sessionId }
        const { deleteConversations } = await gql(DeleteConversationsDocument, { input })
        void notifyDone(t('deletedAllDone', { count: deleteConversations.deletedCount }))
        await leave()
      },
    })
  }

  return { deleteOne, deleteLabel }
}

function Label({ text }: { text: string }) {
  const { t } = useTranslation('conversations')
  return (
    <Text className={`panel-user-text ${classes.clip}`} component="div">
      {t('label')}: <bdi>{text}</bdi>
    </Text>
  )
}
