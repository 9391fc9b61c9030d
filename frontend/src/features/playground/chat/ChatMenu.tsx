import { ActionIcon, Loader, Menu, Text } from '@mantine/core'
import { IconDots, IconMessagePlus, IconMessages, IconTerminal2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '@/shared/time'
import { ErrorState } from '@/shared/ui'
import classes from '../Playground.module.css'
import { pastTestsQuery } from '../queries'
import type { Chat } from './useChat'

type Props = {
  agentId: string
  chat: Chat
  /** Begins a new chat; undefined while there is nothing to leave. */
  onRestart?: () => void
  /** Shows the last message as a call; undefined while there is none. */
  onCurl?: () => void
  /** Opens another chat by its session ID. */
  onOpen: (sessionId: string) => void
}

/** What can be done with a chat, and the latest other ones, each of which the user can continue. */
export function ChatMenu({ agentId, chat, onRestart, onCurl, onOpen }: Props) {
  const { t } = useTranslation('playground')
  const [opened, setOpened] = useState(false)
  const query = useQuery({ ...pastTestsQuery(agentId), enabled: opened })
  const others = query.data?.agent.conversations.nodes.filter(({ sessionId }) => sessionId !== chat.sessionId)
  const { conversationId } = chat
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width="min(360px, 90vw)">
      <Menu.Target>
        <ActionIcon variant="default" size={28} aria-label={t('chatMenu')}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={480} style={{ overflowY: 'auto' }}>
        <Menu.Item
          leftSection={<IconMessagePlus size={16} aria-hidden />}
          disabled={!onRestart}
          onClick={() => onRestart?.()}
        >
          {t('newConversation')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTerminal2 size={16} aria-hidden />} disabled={!onCurl} onClick={() => onCurl?.()}>
          {t('asCurl')}
        </Menu.Item>
        {conversationId && (
          <Menu.Item
            leftSection={<IconMessages size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/activity/conversations/$id" params={{ id: conversationId }} {...props} />}
          >
            {t('transcript')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>{t('pastTests')}</Menu.Label>
        {query.isPending && <Loader size="sm" m="sm" aria-label={t('loading', { ns: 'common' })} />}
        {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {others?.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            {t('noPastTests')}
          </Text>
        )}
        {others?.map(({ id, sessionId, preview, lastTurnAt }) => (
          <Menu.Item key={id} onClick={() => onOpen(sessionId)}>
            <span className={classes.past}>
              <span className="panel-user-text">{preview || sessionId}</span>
              <Text span size="xs" c="dimmed" flex="none">
                <RelativeTime time={lastTurnAt} />
              </Text>
            </span>
          </Menu.Item>
        ))}
        <Menu.Item
          renderRoot={(props) => (
            <Link
              to="/agents/$id/activity/conversations"
              params={{ id: agentId }}
              search={{ source: 'PLAYGROUND' as const }}
              {...props}
            />
          )}
        >
          {t('allTests')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
