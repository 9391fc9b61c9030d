import { useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { OtherAccounts } from '@/features/accounts'
import { useViewer } from '@/features/auth'
import { isolate } from '@/shared/i18n'
import { formatSpan } from '@/shared/time'
import { ButtonLink, ChatShape, Missing, PrintHead, QueryView, SidePanel } from '@/shared/ui'
import type { Filters } from '../filters'
import { type Conversation, transcriptQuery, turnsOf } from '../queries'
import { Facts } from './Facts'
import classes from './Reader.module.css'
import { ReaderActions, Who } from './ReaderHead'
import { Transcript } from './Transcript'

type Props = {
  id: string
  /** The conversations of the list, in its order. */
  ids: string[]
  /** The filters of the list, to which closing leads. */
  opens: Filters
}

/** One conversation: next to the list on wide screens, otherwise over it. */
export function Reader({ id, ids, opens }: Props) {
  const { t } = useTranslation('conversations')
  const { turn, in: side } = useSearch({ strict: false })
  const { text } = opens
  const navigate = useNavigate()
  const query = useInfiniteQuery(transcriptQuery(id, turn !== undefined || Boolean(text)))
  const conversation = query.data?.pages[0]?.conversation
  const account = useViewer().data?.viewer.name
  const turns = query.data ? turnsOf(query.data.pages) : []
  const hasColumn = useMediaQuery('(min-width: 90em)', false, { getInitialValueInEffect: false })
  useTabTitle(conversation && (conversation.userId ?? conversation.sessionId))

  const at = ids.indexOf(id)
  const open = (to: string | undefined) =>
    to === undefined
      ? undefined
      : () =>
          void navigate({
            to: '/activity/conversations/$id',
            params: { id: to },
            search: opens,
            resetScroll: false,
          })
  const go = { previous: open(ids[at - 1]), next: at < 0 ? undefined : open(ids[at + 1]) }
  const close = () => navigate({ to: '/activity/conversations', search: opens, resetScroll: false })
  const facts = conversation && <Facts key={id} conversation={conversation} turns={turns} />
  return (
    <SidePanel
      id={id}
      title={t('conversationTitle')}
      heading={<Who conversation={conversation} />}
      actions={<ReaderActions conversation={conversation} turns={turns} id={id} go={go} close={close} />}
      isMain
      column={
        facts &&
        hasColumn && (
          <section aria-label={t('details')} className={classes.column}>
            {facts}
          </section>
        )
      }
      onClose={() => void close()}
    >
      <div className={classes.body}>
        {conversation && <PrintHead account={account} period={spanOf(conversation)} />}
        {facts && !hasColumn && (
          <details className={classes.fold}>
            <summary className="panel-summary">{t('details')}</summary>
            {facts}
          </details>
        )}
        <QueryView
          query={query}
          loading={<ChatShape />}
          missing={
            <Missing
              title={t('notFound.title')}
              back={
                <ButtonLink to="/activity/conversations" search={opens} variant="default">
                  {t('notFound.all')}
                </ButtonLink>
              }
            />
          }
        >
          {({ pages: [latest] }) =>
            latest && (
              <Transcript
                key={`${id} ${turn} ${side} ${text}`}
                turns={turns}
                conversation={latest.conversation}
                query={query}
                text={text}
                turn={turn}
                inReply={side === 'reply'}
              />
            )
          }
        </QueryView>
        <OtherAccounts query={query} />
      </div>
    </SidePanel>
  )
}

const spanOf = ({ createdAt, lastTurnAt }: Conversation) =>
  formatSpan(Date.parse(createdAt), Date.parse(lastTurnAt ?? createdAt))

/** Names the open conversation in the browser's tab, and then the page again. */
function useTabTitle(name: string | undefined) {
  const { t } = useTranslation()
  useEffect(() => {
    if (name === undefined) return
    const before = document.title
    document.title = `${isolate(name)} · ${t('product')}`
    return () => {
      document.title = before
    }
  }, [name, t])
}
