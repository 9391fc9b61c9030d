import { Group, Paper, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconAlertOctagon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { dateOf, formatHour, formatShortDay, useNow } from '@/shared/time'
import { AgentMark, AppLink, RowLink } from '@/shared/ui'
import classes from '../Home.module.css'
import type { HomeConversation } from '../queries'

/** The conversations with the newest messages: what was said, by whom and when, and whether it failed. */
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
  const { id, sessionId, userId, preview, failedTurns, agent, lastTurnAt } = conversation
  const today = dateOf(useNow())
  return (
    <li className={`panel-row ${classes.conversation}`}>
      <AgentMark name={agent.name} />
      <div className={classes.said}>
        <RowLink to="/activity/conversations/$id" params={{ id }} inherit fw={600} lineClamp={1}>
          {preview.trim() || sessionId}
        </RowLink>
        <VisuallyHidden>{t('ofAgent', { agent: agent.name })}</VisuallyHidden>
        <Group gap="xs" wrap="nowrap">
          <Text size="xs" c="dimmed" className="panel-user-text" lineClamp={1} translate="no">
            {userId ?? sessionId}
          </Text>
          {failedTurns > 0 && (
            <Text span fz="xs" c="var(--bad)" className={classes.failed}>
              <IconAlertOctagon size={14} aria-hidden />
              {t('failed')}
            </Text>
          )}
        </Group>
      </div>
      {lastTurnAt && (
        <Text size="xs" c="dimmed" component="time" dateTime={lastTurnAt} className={classes.when}>
          {(dateOf(lastTurnAt) === today ? formatHour : formatShortDay)(lastTurnAt)}
        </Text>
      )}
    </li>
  )
}
