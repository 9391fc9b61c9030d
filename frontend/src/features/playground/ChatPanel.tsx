import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconMessagePlus } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Agent } from '@/features/agents'
import { AppLink, EmptyState } from '@/shared/ui'
import { AnsweringSelect } from './AnsweringSelect'
import { Composer } from './Composer'
import { CreditNotice, useShortOfCredits } from './CreditNotice'
import { Exchange } from './Exchange'
import type { Entry } from './entries'
import { ModelNotice } from './ModelNotice'
import classes from './Playground.module.css'
import { useAnswering } from './useAnswering'
import { useChat } from './useChat'
import { useFollow } from './useFollow'

const CurlDialog = lazy(() => import('./CurlDialog'))

/** Chats with an agent's draft, or with one of its versions. */
export function ChatPanel({ agent, version }: { agent: Agent; version?: number }) {
  const { t } = useTranslation('playground')
  const chat = useChat(agent.id)
  const { box, content, away, jump, onScroll, onKeyDown } = useFollow()
  const composer = useRef<HTMLTextAreaElement>(null)
  const [shownAsCurl, setShownAsCurl] = useState<Entry>()
  const answering = useAnswering(agent, version)
  const { model } = answering
  const short = useShortOfCredits(answering)
  const ready = Boolean(model?.available) && !short

  const send = (message: string) => {
    chat.send(message, version)
    jump()
  }
  const retry = (entry: Entry) => {
    chat.retry(entry)
    jump()
    composer.current?.focus()
  }
  const restart = () => {
    chat.restart()
    jump()
    composer.current?.focus()
  }

  return (
    <>
      <div className={classes.bar}>
        <Group gap="xs" style={{ minWidth: 0 }}>
          <AnsweringSelect agentId={agent.id} version={version} />
          <Text size="sm" c="dimmed" className="panel-user-text">
            {model ? t('price', { model: model.label, count: model.creditsPerMessage }) : t('noModelShort')}
          </Text>
        </Group>
        <Group gap="xs">
          {chat.conversationId && (
            <AppLink to="/conversations/$id" params={{ id: chat.conversationId }} size="sm">
              {t('transcript')}
            </AppLink>
          )}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconMessagePlus size={16} aria-hidden />}
            onClick={restart}
            disabled={chat.entries.length === 0}
          >
            {t('newConversation')}
          </Button>
        </Group>
      </div>
      <div className={classes.stage}>
        <Box
          ref={box}
          className={classes.messages}
          onScroll={onScroll}
          onKeyDown={onKeyDown}
          role="log"
          aria-label={t('messages')}
          tabIndex={0}
        >
          <div ref={content}>
            {chat.entries.length === 0 ? (
              <EmptyState
                title={t('empty')}
                text={version ? t('emptyTextVersion', { number: version }) : t('emptyText')}
              />
            ) : (
              <Stack gap="md">
                {chat.entries.map((entry) => (
                  <Exchange
                    key={entry.id}
                    entry={entry}
                    onRetry={chat.phase ? undefined : () => retry(entry)}
                    onCurl={() => setShownAsCurl(entry)}
                  />
                ))}
              </Stack>
            )}
          </div>
        </Box>
        {away && (
          <Button
            className={classes.jump}
            size="xs"
            variant="default"
            leftSection={<IconArrowDown size={16} aria-hidden />}
            onClick={() => {
              jump()
              box.current?.focus({ preventScroll: true }) // the button disappears, and the focus with it
            }}
          >
            {t('jump')}
          </Button>
        )}
      </div>
      <div className={classes.composer}>
        <ModelNotice agentId={agent.id} answering={answering} />
        <CreditNotice answering={answering} />
        <Composer
          ref={composer}
          ready={ready}
          phase={chat.phase}
          price={model?.creditsPerMessage ?? 0}
          onSend={send}
          onStop={chat.stop}
        />
      </div>
      {shownAsCurl && (
        <Suspense fallback={null}>
          <CurlDialog
            entry={shownAsCurl}
            sessionId={chat.sessionId}
            agent={agent}
            onClose={() => setShownAsCurl(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
