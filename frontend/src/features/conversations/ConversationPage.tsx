import { Button, Paper, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
import { AppLink, Page, QueryView } from '@/shared/ui'
import classes from './Conversations.module.css'
import { type Conversation, transcriptQuery, turnsOf } from './queries'
import { Transcript } from './Transcript'
import { useDelete } from './useDelete'

const route = getRouteApi('/_app/conversations/$id')

/** One conversation: its session ID, and its messages and replies. */
export function ConversationPage() {
  const { t } = useTranslation('conversations')
  const { id } = route.useParams()
  const query = useInfiniteQuery(transcriptQuery(id))
  const conversation = query.data?.pages[0]?.conversation
  return (
    <Page
      title={t('conversationTitle')}
      above={
        conversation ? (
          <AppLink
            to="/agents/$id/conversations"
            params={{ id: conversation.agent.id }}
            size="sm"
            w="fit-content"
            className={`panel-user-text ${classes.clip}`}
          >
            {t('titleOf', { name: conversation.agent.name })}
          </AppLink>
        ) : (
          <AppLink to="/agents" size="sm" w="fit-content">
            {t('agents')}
          </AppLink>
        )
      }
      actions={conversation && <Actions conversation={conversation} />}
    >
      <QueryView query={query}>
        {({ pages }) => {
          const [latest] = pages
          if (!latest) return null
          return (
            <Stack gap="md">
              <Facts conversation={latest.conversation} />
              <Transcript key={id} turns={turnsOf(pages)} agent={latest.conversation.agent} query={query} />
            </Stack>
          )
        }}
      </QueryView>
    </Page>
  )
}

function Actions({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  const { deleteOne, deleteLabel } = useDelete(conversation)
  return (
    <>
      <Button variant="default" c="var(--bad)" onClick={deleteOne}>
        {t('delete')}
      </Button>
      <Button variant="default" c="var(--bad)" onClick={deleteLabel}>
        {t('deleteAll')}
      </Button>
    </>
  )
}

function Facts({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  return (
    <Paper p="md">
      <dl className="panel-facts panel-numbers">
        <dt>{t('label')}</dt>
        <dd className={`panel-user-text ${classes.clip}`}>{conversation.sessionId}</dd>
        {conversation.userId != null && (
          <>
            <dt>{t('userId')}</dt>
            <dd className={classes.clip}>
              <AppLink
                to="/agents/$id/conversations"
                params={{ id: conversation.agent.id }}
                search={{ userId: conversation.userId }}
                inherit
                className="panel-user-text"
              >
                {conversation.userId}
              </AppLink>
            </dd>
          </>
        )}
        <dt>{t('agent')}</dt>
        <dd className={classes.clip}>
          <AppLink to="/agents/$id" params={{ id: conversation.agent.id }} inherit className="panel-user-text">
            {conversation.agent.name}
          </AppLink>
        </dd>
        <dt>{t('source')}</dt>
        <dd>{t(`sources.${conversation.source}`)}</dd>
        <dt>{t('turns')}</dt>
        <dd>{formatNumber(conversation.turnCount)}</dd>
        <dt>{t('started')}</dt>
        <dd>
          <RelativeTime time={conversation.createdAt} />
        </dd>
        <dt>{t('latest')}</dt>
        <dd>
          <RelativeTime time={conversation.lastTurnAt} />
        </dd>
      </dl>
    </Paper>
  )
}
