import { ActionIcon, Menu, Title } from '@mantine/core'
import { IconDots, IconLink, IconPlayerPlay } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { AppLink, ButtonLink, CopyButton, Credits, Steps } from '@/shared/ui'
import { linkTo } from '../links'
import type { Conversation, Turn } from '../queries'
import { UserLink } from '../UserLink'
import { Visitor } from '../Visitor'
import classes from './Reader.module.css'
import { useDelete } from './useDelete'

type Props = {
  id: string
  /** Undefined while it loads, and if it does not exist. */
  conversation: Conversation | undefined
  turns: Turn[]
  go: ComponentProps<typeof Steps>['go']
  close: () => Promise<void>
}

/** Who speaks with which agent. */
export function Who({ conversation }: Pick<Props, 'conversation'>) {
  const { t } = useTranslation('conversations')
  return (
    <div>
      <Title order={2} className={classes.name}>
        {conversation ? <Name conversation={conversation} /> : t('conversationTitle')}
      </Title>
      {conversation && (
        <div className={classes.of}>
          <AppLink to="/agents/$id" params={{ id: conversation.agent.id }} inherit className="panel-user-text">
            {conversation.agent.name}
          </AppLink>
          <Credits value={conversation.credits} />
        </div>
      )}
    </div>
  )
}

/** The actions for the conversation. */
export function ReaderActions({ id, conversation, turns, go, close }: Props) {
  const { t } = useTranslation('conversations')
  const may = useMay('EDITOR')
  const answered = turns.findLast(({ state }) => state === 'ANSWERED')
  return (
    <>
      {may && conversation && answered && (
        <ButtonLink
          to="/agents/$id"
          params={{ id: conversation.agent.id }}
          search={{ continue: answered.id }}
          variant="default"
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          visibleFrom="sm"
        >
          {t('continueInTry')}
        </ButtonLink>
      )}
      <CopyButton iconOnly icon={IconLink} value={linkTo(id)} label={t('copyLink', { ns: 'common' })} />
      <Steps go={go} names={{ previous: t('previous'), next: t('next') }} />
      {may && conversation && <More conversation={conversation} answered={answered} close={close} />}
    </>
  )
}

function Name({ conversation: { userId, sessionId } }: { conversation: Conversation }) {
  if (userId == null) return <Visitor session={sessionId} />
  return <UserLink id={userId} c="var(--text)" />
}

type MoreProps = { conversation: Conversation; answered: Turn | undefined; close: () => Promise<void> }

/** What cannot be undone is in a menu, away from the reader's clicks. */
function More({ conversation, answered, close }: MoreProps) {
  const { t } = useTranslation('conversations')
  const navigate = useNavigate()
  const { deleteOne, deleteLabel } = useDelete(conversation, close)
  const { id } = conversation.agent
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={32} aria-label={t('more')}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {answered && (
          <Menu.Item
            hiddenFrom="sm"
            onClick={() => void navigate({ to: '/agents/$id', params: { id }, search: { continue: answered.id } })}
          >
            {t('continueInTry')}
          </Menu.Item>
        )}
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
