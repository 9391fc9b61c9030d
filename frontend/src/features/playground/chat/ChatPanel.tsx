import { Stack } from '@mantine/core'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Agent } from '@/features/agents'
import type { Result } from '@/features/conversations'
import { ContinuedFrom } from '@/features/conversations'
import { EmptyState, ErrorState } from '@/shared/ui'
import { ChatEntry } from '../messages/ChatEntry'
import { CreditNotice, useShortOf } from '../messages/CreditNotice'
import { callStates, type Entry } from '../messages/entries'
import { Messages } from '../messages/Messages'
import { useFollow } from '../messages/useFollow'
import classes from '../Playground.module.css'
import { useValues } from '../values/useValues'
import { ValuesNotice } from '../values/ValuesNotice'
import { ValuesPanel } from '../values/ValuesPanel'
import { ChatBar } from './ChatBar'
import { Composer } from './Composer'
import { Examples } from './Examples'
import type { Kept } from './kept'
import { ModelNotice } from './ModelNotice'
import { useAnswering } from './useAnswering'
import { useChat } from './useChat'
import { useMessage } from './useMessage'

type Props = {
  agent: Agent
  version?: number
  /** The conversation to continue. */
  kept?: Kept
  /** The turn that a new conversation continues from. */
  continueFrom?: string
  /** Is told the ID of the conversation with each message, and undefined when it is left for a new one. */
  onSession: (id: string | undefined) => void
  /** Opens another conversation. */
  onOpen: (sessionId: string) => void
}

/** Chats with an agent's draft, or with one of its versions. */
export function ChatPanel({ agent, version, kept, continueFrom, onSession, onOpen }: Props) {
  const { t } = useTranslation('playground')
  const chat = useChat(agent.id, kept, continueFrom)
  const continued = continueFrom ?? (chat.sessionId === kept?.sessionId ? kept.continuesFrom : undefined)
  const follow = useFollow()
  const { jump } = follow
  const composer = useRef<HTMLTextAreaElement>(null)
  const message = useMessage(agent.id, chat.entries)
  const answering = useAnswering(agent, version)
  const { model } = answering
  const short = useShortOf(model?.creditsPerMessage)
  const variables = answering.variables ?? []
  const values = useValues(variables, kept?.entries.at(-1))
  const valuesId = useId()
  const [valuesOpen, setValuesOpen] = useState<boolean>()
  // A chat that has begun has its values.
  const valuesShown = valuesOpen ?? (variables.length > 0 && chat.entries.length === 0)
  const complete = answering.variables !== undefined && values.missing.length === 0 && !values.tooLong
  const mayAct = Boolean(model?.available) && !short
  const ready = mayAct && complete

  const send = (text: string) => {
    chat.send({ message: text, version, ...values.given })
    onSession(chat.sessionId)
    jump()
  }
  /** Goes on with the results of what a reply has asked for, to what has asked. */
  const goOn = ({ version: to, userId }: Entry, results: Result[]) => {
    chat.send({ message: '', results, version: to, userId })
    onSession(chat.sessionId)
    jump()
    composer.current?.focus()
  }
  const retry = (entry: Entry) => {
    // A retry keeps its end user. If it starts the conversation, the form shows that user.
    if (!chat.begun) values.setUserId(entry.userId ?? '')
    chat.retry(entry)
    onSession(chat.sessionId)
    jump()
    composer.current?.focus()
  }
  /** Asks the same again, for another answer. */
  const again = ({ message, version: to, variables: given, userId }: Entry) => {
    chat.send({ message, version: to, variables: given, userId })
    onSession(chat.sessionId)
    jump()
    composer.current?.focus()
  }
  const restart = () => {
    chat.restart()
    onSession(undefined)
    jump()
    composer.current?.focus()
  }

  const states = callStates(chat.entries)

  return (
    <>
      <ChatBar
        agent={agent}
        version={version}
        chat={chat}
        values={{
          id: valuesId,
          shown: valuesShown,
          count: values.count,
          onToggle: () => setValuesOpen(!valuesShown),
        }}
        onRestart={restart}
        mayRestart={chat.entries.length > 0 || continueFrom !== undefined}
        onOpen={onOpen}
      />
      {continued && <ContinuedFrom turnId={continued} />}
      {valuesShown && <ValuesPanel id={valuesId} variables={variables} values={values} begun={chat.begun} />}
      <Messages follow={follow}>
        {chat.entries.length === 0 ? (
          <EmptyState
            title={t('empty')}
            text={version ? t('emptyTextVersion', { number: version }) : t('emptyText')}
            action={
              <Examples
                onChoose={(text) => {
                  message.setText(text)
                  composer.current?.focus()
                }}
              />
            }
          />
        ) : (
          <Stack gap="md">
            {chat.entries.map((entry, at) => (
              <ChatEntry
                key={entry.id}
                entry={entry}
                onAgain={ready && !chat.phase && at === chat.entries.length - 1 ? () => again(entry) : undefined}
                onRetry={chat.phase ? undefined : () => retry(entry)}
                callState={states.get(entry.id)}
                ready={mayAct && !chat.phase}
                onResults={(results) => goOn(entry, results)}
              />
            ))}
          </Stack>
        )}
      </Messages>
      <div className={classes.composer}>
        {answering.unread && <ErrorState {...answering.unread} />}
        <ModelNotice agentId={agent.id} answering={answering} />
        <CreditNotice price={model?.creditsPerMessage} text="noCreditsText" />
        <ValuesNotice values={values} />
        <Composer
          ref={composer}
          message={message}
          ready={ready}
          phase={chat.phase}
          price={model?.creditsPerMessage ?? 0}
          note={model ? t('price', { count: model.creditsPerMessage }) : undefined}
          onSend={send}
          onStop={chat.stop}
        />
      </div>
    </>
  )
}
