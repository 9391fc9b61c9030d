import { Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { formatNumber } from '@/shared/format'
import { PlainText } from '@/shared/markdown'
import { formatMoment } from '@/shared/time'
import { Drawer, EmptyState, FormError, QueryView } from '@/shared/ui'
import type { Agent } from '../queries'
import { EncodingQuestion } from './EncodingQuestion'
import { hasEncoding } from './files/accepted'
import classes from './Knowledge.module.css'
import { type OpenSource, sourceQuery, textQuery } from './queries'
import { SourceActions } from './SourceActions'
import { sizeText, usageText } from './sourceText'
import { useRefreshOnceRead } from './useRefreshOnceRead'

type Props = {
  agent: Agent
  /** The source that is open. */
  id: string | undefined
  onOpen: (id: string | undefined) => void
}

/** One source: where it is used, what was read of it, and what can be done with it. */
export function SourceDrawer({ agent, id, onOpen }: Props) {
  const { t } = useTranslation('knowledge')
  const query = useQuery({ ...sourceQuery(id ?? ''), enabled: id !== undefined })
  const source = query.data?.node.__typename === 'KnowledgeSource' ? query.data.node : undefined
  useReturnToRow(id)
  useRefreshOnceRead(source ? [source] : [])
  // Mantine would close it together with a dialog above it.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' && event.currentTarget.contains(event.target as Element)) onOpen(undefined)
  }
  return (
    <Drawer
      opened={id !== undefined}
      onClose={() => onOpen(undefined)}
      position="right"
      size="min(100%, 640px)"
      title={<span className="panel-user-text">{source?.name ?? t('column.name')}</span>}
      closeOnEscape={false}
      onKeyDown={onKeyDown}
      returnFocus={false}
    >
      {id !== undefined && (
        <QueryView query={query}>
          {() =>
            source ? (
              <Details key={source.id} agent={agent} source={source} onOpen={onOpen} />
            ) : (
              <EmptyState title={t('gone')} />
            )
          }
        </QueryView>
      )}
    </Drawer>
  )
}

/** Once it is closed, gives the focus to the row of what was open, or to the part of Build if that is gone. */
function useReturnToRow(id: string | undefined) {
  const last = useRef<string>(undefined)
  useEffect(() => {
    const closed = id === undefined ? last.current : undefined
    last.current = id
    if (closed === undefined) return
    // After the drawer has released the focus.
    const wait = setTimeout(() => {
      const focused = document.activeElement
      if (focused && focused !== document.body && !focused.closest('[role="dialog"]')) return
      const rows = Array.from(document.querySelectorAll<HTMLElement>('#build-knowledge [data-row]'))
      const row = rows.find(({ dataset }) => dataset.row === closed)?.querySelector<HTMLElement>('.panel-row-link')
      const part = document.querySelector<HTMLElement>('#build-knowledge > summary')
      ;(row ?? part)?.focus()
    })
    return () => clearTimeout(wait)
  }, [id])
}

type DetailsProps = { agent: Agent; source: OpenSource; onOpen: Props['onOpen'] }

function Details({ agent, source, onOpen }: DetailsProps) {
  const { t } = useTranslation('knowledge')
  const { kind, name, state, passages, encoding, notes } = source
  const facts = useRef<HTMLDListElement>(null)
  useEffect(() => {
    // The source that this one replaced had the focus. Without it, Escape would not close the drawer.
    if (document.activeElement === document.body) facts.current?.closest<HTMLElement>('[role="dialog"]')?.focus()
  }, [])
  return (
    <Stack gap="md">
      <dl ref={facts} className="panel-facts panel-numbers" aria-label={t('facts')} style={{ font: 'var(--t13)' }}>
        <Fact name={t('kindLabel')}>{t(`kind.${kind}`)}</Fact>
        {state !== 'READY' && <Fact name={t('stateLabel')}>{source.reason ?? t(`state.${state}`)}</Fact>}
        <Fact name={t('sizeLabel')}>
          {sizeText(t, source)} · {t('passages', { count: passages })}
        </Fact>
        {encoding && (
          <Fact name={t('encoding')}>
            <span translate="no">{encoding}</span>
          </Fact>
        )}
        <Fact name={t('inLabel')}>{usageText(t, source)}</Fact>
        <Fact name={t('addedLabel')}>
          <time dateTime={source.createdAt}>{formatMoment(source.createdAt)}</time>
        </Fact>
      </dl>
      <May least="EDITOR">
        {state === 'FAILED' && kind === 'FILE' && hasEncoding(name) && <EncodingQuestion source={source} />}
        <SourceActions agent={agent} source={source} onOpen={onOpen} />
      </May>
      {state === 'READY' && notes.length > 0 && (
        <section aria-label={t('notes')}>
          <h3 className={classes.label}>{t('notes')}</h3>
          <ul className={classes.notes}>
            {notes.map(({ message }) => (
              <li key={message} className="panel-user-text">
                {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      {state === 'READY' && (
        <section aria-label={t('read')}>
          <h3 className={classes.label}>{t('read')}</h3>
          <Read id={source.id} />
        </section>
      )}
    </Stack>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** The text of a source, of which a long one comes in parts. */
function Read({ id }: { id: string }) {
  const { t } = useTranslation('knowledge')
  const query = useInfiniteQuery(textQuery(id))
  return (
    <QueryView query={query}>
      {({ pages }) => {
        const parts = pages.filter((part) => part !== undefined)
        return (
          <Stack gap="xs">
            {parts.map(({ offset, characters, text }) => (
              <div key={offset}>
                {parts.length > 1 && characters > 0 && (
                  <Text size="xs" c="dimmed" className="panel-numbers">
                    {t('part', { from: formatNumber(offset + 1), to: formatNumber(offset + [...text].length) })}
                  </Text>
                )}
                <div className={classes.box}>
                  <PlainText text={text} />
                </div>
              </div>
            ))}
            {query.hasNextPage && (
              <Group>
                {query.isFetchNextPageError && <FormError error={query.error} />}
                <Button
                  variant="default"
                  size="xs"
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  {t('more')}
                </Button>
              </Group>
            )}
          </Stack>
        )
      }}
    </QueryView>
  )
}
