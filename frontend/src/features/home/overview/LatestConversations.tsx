import { Group, Paper, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconAlertOctagon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '@/shared/time'
import { AgentMark, AppLink, RowLink } from '@/shared/ui'
import classes from '../Home.module.css'
import type { HomeConversation } from '../queries'

/** The conversations with the newest messages: what they are about, and whether something went wrong. */
export function LatestConversations({ conversations }: { conversations: readonly HomeConversation[] }) {
  const { t } = useTranslation('home')
  return (
    <section aria-labelledby="latest-conversations" className={classes.column}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2} id="latest-conversations">
          {t('conversations')}
        </Title>
        <AppLink to="/activity/conversations" fz="sm">
          {t('allConversations')}
        </AppLink>
      </Group>
      {conversations.length === 0 ? (
        <Paper p="md">
          <Text c="dimmed">{t('noConversations')}</Text>
        </Paper>
      ) : (
        <ul className={`panel-box panel-list ${classes.list}`}>
          {conversations.map((conversation) => (
            <Row key={conversation.id} conversation={conversation} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({ conversation }: { conversation: HomeConversation }) {
  const { t } = useTranslation('home')
  const { id, sessionId, preview, failedTurns, agent, lastTurnAt } = conversation
  return (
    <li className={`panel-row ${classes.conversation}`}>
      <AgentMark name={agent.name} />
      <div className={classes.said}>
        <Group gap="xs" wrap="nowrap">
          <RowLink to="/activity/conversations/$id" params={{ id }} inherit fw={600} lineClamp={1}>
            {sessionId}
          </RowLink>
          <VisuallyHidden>{t('ofAgent', { agent: agent.name })}</VisuallyHidden>
          {failedTurns > 0 && (
            <Text span fz="xs" c="var(--bad)" className={classes.failed}>
              <IconAlertOctagon size={14} aria-hidden />
              {t('failed')}
            </Text>
          )}
        </Group>
        <Text size="sm" c="var(--text-2)" className="panel-user-text" lineClamp={1}>
          {preview}
        </Text>
      </div>
      <Text size="xs" c="dimmed" component="div" className={classes.when}>
        <RelativeTime time={lastTurnAt} />
      </Text>
    </li>
  )
}
