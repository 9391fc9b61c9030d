import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { OtherAccounts } from '@/features/accounts'
import { useViewer } from '@/features/auth'
import { isolate } from '@/shared/i18n'
import { formatSpan } from '@/shared/time'
import { PrintHead, QueryView } from '@/shared/ui'
import type { Filters } from '../filters'
import { type Conversation, transcriptQuery, turnsOf } from '../queries'
import { Facts } from './Facts'
import classes from './Reader.module.css'
import { ReaderHead } from './ReaderHead'
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
  const body = useRef<HTMLDivElement>(null)
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
  useHotkeys([['Escape', ({ target }) => isInOverlay(target) || void close(), { preventDefault: false }]])

  // The row that was pressed may be hidden, and the arrow keys are to scroll the conversation.
  useEffect(() => {
    if (document.activeElement?.closest('.panel-row')) body.current?.focus({ preventScroll: true })
  }, [])

  const facts = conversation && <Facts key={id} conversation={conversation} turns={turns} />
  return (
    <aside aria-label={t('conversationTitle')} className={classes.reader}>
      <ReaderHead conversation={conversation} turns={turns} id={id} go={go} close={close} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <div ref={body} className={classes.body} tabIndex={0} data-scrolls>
        {conversation && <PrintHead account={account} period={spanOf(conversation)} />}
        {facts && !hasColumn && (
          <details className={classes.fold}>
            <summary className="panel-summary">{t('details')}</summary>
            {facts}
          </details>
        )}
        <QueryView query={query}>
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
      {facts && hasColumn && (
        <section aria-label={t('details')} className={classes.column}>
          {facts}
        </section>
      )}
    </aside>
  )
}

const spanOf = ({ createdAt, lastTurnAt }: Conversation) =>
  formatSpan(Date.parse(createdAt), Date.parse(lastTurnAt ?? createdAt))

/** Whether a key was pressed in a dialog or a menu, which it closes, or while one is open. */
const isInOverlay = (target: EventTarget | null) => {
  const overlay = '[role="dialog"], [role="menu"]'
  return Boolean((target as Element | null)?.closest?.(overlay) ?? document.querySelector(overlay))
}

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
