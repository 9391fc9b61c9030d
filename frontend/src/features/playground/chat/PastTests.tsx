import { ActionIcon, Loader, Menu, Text, Tooltip } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '@/shared/time'
import { ErrorState } from '@/shared/ui'
import classes from '../Playground.module.css'
import { pastTestsQuery } from '../queries'

type Props = {
  agentId: string
  /** The session ID of the open conversation. */
  current: string
  onOpen: (sessionId: string) => void
}

/** The latest test conversations, each of which the user can continue. */
export function PastTests({ agentId, current, onOpen }: Props) {
  const { t } = useTranslation('playground')
  const [opened, setOpened] = useState(false)
  const query = useQuery({ ...pastTestsQuery(agentId), enabled: opened })
  const others = query.data?.agent.conversations.nodes.filter(({ sessionId }) => sessionId !== current)
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width="min(360px, 90vw)">
      <Tooltip label={t('pastTests')}>
        <Menu.Target>
          <ActionIcon variant="default" size={28} aria-label={t('pastTests')}>
            <IconHistory size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
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
        <Menu.Divider />
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
