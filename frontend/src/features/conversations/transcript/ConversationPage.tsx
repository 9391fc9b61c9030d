import { ActionIcon, Menu, Stack } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { OtherAccounts } from '@/features/accounts'
import { useMay } from '@/features/auth'
import { AppLink, Page, QueryView } from '@/shared/ui'
import classes from '../Conversations.module.css'
import { type Conversation, transcriptQuery, turnsOf } from '../queries'
import { FactsLine } from './FactsLine'
import { Steps } from './Steps'
import { Transcript } from './Transcript'
import { useDelete } from './useDelete'

const route = getRouteApi('/_app/activity/conversations/$id')

/** One conversation: its session ID, and its messages and replies. */
export function ConversationPage() {
  const { t } = useTranslation('conversations')
  const { id } = route.useParams()
  const { text, turn, in: side } = route.useSearch()
  const query = useInfiniteQuery(transcriptQuery(id, turn !== undefined || Boolean(text)))
  const conversation = query.data?.pages[0]?.conversation
  return (
    <Page
      title={conversation?.sessionId ?? t('conversationTitle')}
      description={conversation && <FactsLine conversation={conversation} />}
      above={
        conversation ? (
          <AppLink
            to="/agents/$id/activity/conversations"
            params={{ id: conversation.agent.id }}
            size="sm"
            w="fit-content"
            className={`panel-user-text ${classes.clip}`}
          >
            {t('titleOf', { name: conversation.agent.name })}
          </AppLink>
        ) : (
          <AppLink to="/activity/conversations" size="sm" w="fit-content">
            {t('title')}
          </AppLink>
        )
      }
      actions={
        <>
          <Steps id={id} text={text} />
          {conversation && <Actions conversation={conversation} />}
        </>
      }
    >
      <QueryView query={query}>
        {({ pages }) => {
          const [latest] = pages
          if (!latest) return null
          return (
            <Stack gap="md">
              <Transcript
                key={`${id} ${turn} ${side} ${text}`}
                turns={turnsOf(pages)}
                conversation={latest.conversation}
                query={query}
                text={text}
                turn={turn}
                inReply={side === 'reply'}
              />
            </Stack>
          )
        }}
      </QueryView>
      <OtherAccounts query={query} />
    </Page>
  )
}

/** What cannot be undone is in a menu, away from the reader's clicks. */
function Actions({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  const may = useMay('EDITOR')
  const { deleteOne, deleteLabel } = useDelete(conversation)
  if (!may) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={32} aria-label={t('more')}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item c="var(--bad)" onClick={deleteOne}>
          {t('delete')}
        </Menu.Item>
        <Menu.Item c="var(--bad)" onClick={deleteLabel}>
          {t('deleteAll')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
