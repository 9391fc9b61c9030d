import { ActionIcon, Group, Tooltip } from '@mantine/core'
import { IconColumns2 } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Agent } from '@/features/agents'
import { Dialog, LoadingState, part } from '@/shared/ui'
import { ValuesButton } from '../BarButtons'
import { FullWindowButton, FullWindowTitle } from '../FullWindow'
import classes from '../Playground.module.css'
import { useView } from '../useView'
import { AnsweringSelect } from './AnsweringSelect'
import { ChatMenu } from './ChatMenu'
import type { Chat } from './useChat'

const SameCall = part(async () => ({ default: (await import('@/features/developers')).SameCall }))

type Props = {
  agent: Agent
  version?: number
  chat: Chat
  /** The ID of the values, whether they are shown, and how many are set. */
  values: { id: string; shown: boolean; count: number; onToggle: () => void }
  onRestart: () => void
  mayRestart: boolean
  /** Opens another conversation by its session ID. */
  onOpen: (sessionId: string) => void
}

/** Who answers, and the actions on the whole conversation. */
export function ChatBar({ agent, version, chat, values, onRestart, mayRestart, onOpen }: Props) {
  const { t } = useTranslation('playground')
  const { whole, show, compare } = useView()
  const [curl, setCurl] = useState(false)
  const last = chat.entries.findLast(({ results }) => results === undefined)
  return (
    <div className={classes.bar}>
      {whole && <FullWindowTitle agent={agent}>{t('tryOf', { name: agent.name })}</FullWindowTitle>}
      <AnsweringSelect agentId={agent.id} version={version} />
      <Group gap={4} wrap="nowrap" flex="none" ml="auto">
        <ValuesButton {...values} />
        <Tooltip label={t('compare.title')}>
          <ActionIcon
            variant="default"
            size={28}
            aria-label={t('compare.title')}
            disabled={chat.phase !== undefined}
            onClick={() => compare(agent.publishedVersion?.number)}
          >
            <IconColumns2 size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <FullWindowButton whole={whole} onClick={() => show(whole ? undefined : 'window')} />
        <ChatMenu
          agentId={agent.id}
          chat={chat}
          onRestart={mayRestart ? onRestart : undefined}
          onCurl={last && (() => setCurl(true))}
          onOpen={onOpen}
        />
      </Group>
      {curl && last && (
        <Dialog title={t('asCurl')} size={720} onClose={() => setCurl(false)}>
          <Suspense fallback={<LoadingState />}>
            <SameCall
              said={{
                message: last.message,
                sessionId: chat.sessionId,
                userId: last.userId,
                variables: last.variables,
              }}
              agentId={agent.id}
              live={agent.state === 'LIVE'}
            />
          </Suspense>
        </Dialog>
      )}
    </div>
  )
}
