import { Button, Group, Text, Tooltip } from '@mantine/core'
import { IconColumns2, IconMessages } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Agent } from '@/features/agents'
import { ButtonLink } from '@/shared/ui'
import { RestartButton, ValuesButton } from '../BarButtons'
import { FullWindowButton, FullWindowTitle } from '../FullWindow'
import classes from '../Playground.module.css'
import { useView } from '../useView'
import { AnsweringSelect } from './AnsweringSelect'
import { PastTests } from './PastTests'
import type { Answering } from './useAnswering'
import type { Chat } from './useChat'

type Props = {
  agent: Agent
  answering: Answering
  chat: Chat
  /** The ID of the values, and whether they are shown. */
  values: { id: string; shown: boolean; onToggle: () => void }
  onRestart: () => void
  mayRestart: boolean
  /** Opens another conversation by its session ID. */
  onOpen: (sessionId: string) => void
}

/** Who answers and at what price, and the actions on the whole conversation. */
export function ChatBar({ agent, answering: { version, model }, chat, values, onRestart, mayRestart, onOpen }: Props) {
  const { t } = useTranslation('playground')
  const { whole, show, compare } = useView()
  return (
    <div className={classes.bar}>
      <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
        {whole && <FullWindowTitle agent={agent}>{t('tryOf', { name: agent.name })}</FullWindowTitle>}
        <AnsweringSelect agentId={agent.id} version={version} />
        <Text size="sm" c="dimmed" truncate miw={0} visibleFrom={whole ? 'sm' : undefined} className="panel-user-text">
          {model ? t('price', { model: model.label, count: model.creditsPerMessage }) : t('noModelShort')}
        </Text>
      </Group>
      <Group gap={4}>
        {chat.conversationId && (
          <Tooltip label={t('transcript')}>
            <ButtonLink
              to="/activity/conversations/$id"
              params={{ id: chat.conversationId }}
              size="xs"
              variant="default"
              px={5}
              aria-label={t('transcript')}
            >
              <IconMessages size={16} aria-hidden />
            </ButtonLink>
          </Tooltip>
        )}
        <ValuesButton {...values} />
        <PastTests agentId={agent.id} current={chat.sessionId} onOpen={onOpen} />
        <RestartButton onClick={onRestart} disabled={!mayRestart} />
        <Button
          size="xs"
          variant="default"
          leftSection={<IconColumns2 size={16} aria-hidden />}
          disabled={chat.phase !== undefined}
          onClick={() => compare(agent.publishedVersion?.number)}
        >
          {t('compare.title')}
        </Button>
        <FullWindowButton whole={whole} onClick={() => show(whole ? undefined : 'window')} />
      </Group>
    </div>
  )
}
