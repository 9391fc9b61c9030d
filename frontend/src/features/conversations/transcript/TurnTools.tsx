import { ActionIcon, Menu } from '@mantine/core'
import { IconChecklist, IconCode, IconDots, IconLink, IconPlayerPlay } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { CopyButton, copyText, notifyDone } from '@/shared/ui'
import { linkTo } from '../links'
import type { Turn } from '../queries'
import classes from './Transcript.module.css'

type Props = {
  turn: Turn
  agentId: string
  /** Whether the texts are shown as they were sent. */
  exact: boolean
  setExact: (exact: boolean) => void
  touch: boolean
}

/** What can be done with a turn: buttons that show on hover or focus, for touch a menu. */
export function TurnTools({ turn, agentId, exact, setExact, touch }: Props) {
  const { t } = useTranslation('conversations')
  const navigate = useNavigate()
  const may = useMay('EDITOR')
  const raw = t('asSent', { ns: 'texts' })
  const link = linkTo(turn.conversationId, turn.number)
  const copyLink = t('copyLink', { ns: 'common' })
  const resume =
    may && turn.state === 'ANSWERED'
      ? () => void navigate({ to: '/agents/$id', params: { id: agentId }, search: { continue: turn.id } })
      : undefined
  const makeCase =
    may && turn.state === 'ANSWERED' && turn.source !== 'TEST'
      ? () =>
          void navigate({
            to: '/agents/$id/tests',
            params: { id: agentId },
            search: { case: 'new', ofTurn: turn.id },
          })
      : undefined
  const makeLabel = t('makeCase', { ns: 'texts' })
  const toggle = () => setExact(!exact)
  if (touch) {
    const copy = async (text: string, key: 'linkCopied' | 'copy.copied') =>
      (await copyText(text)) && notifyDone(t(key, { ns: 'common' }))
    return (
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={40} aria-label={t('more')}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={toggle}>{raw}</Menu.Item>
          {turn.reply && (
            <Menu.Item onClick={() => void copy(turn.reply ?? '', 'copy.copied')}>
              {t('copy.copy', { ns: 'common' })}
            </Menu.Item>
          )}
          <Menu.Item onClick={() => void copy(link, 'linkCopied')}>{copyLink}</Menu.Item>
          {resume && <Menu.Item onClick={resume}>{t('continueInTry')}</Menu.Item>}
          {makeCase && <Menu.Item onClick={makeCase}>{makeLabel}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
    )
  }
  return (
    <span className={classes.tools}>
      <ActionIcon aria-label={raw} title={raw} aria-pressed={exact} onClick={toggle}>
        <IconCode size={16} aria-hidden />
      </ActionIcon>
      {turn.reply && <CopyButton iconOnly value={turn.reply} />}
      <CopyButton iconOnly value={link} label={copyLink} icon={IconLink} />
      {resume && (
        <ActionIcon aria-label={t('continueInTry')} title={t('continueInTry')} onClick={resume}>
          <IconPlayerPlay size={16} aria-hidden />
        </ActionIcon>
      )}
      {makeCase && (
        <ActionIcon aria-label={makeLabel} title={makeLabel} onClick={makeCase}>
          <IconChecklist size={16} aria-hidden />
        </ActionIcon>
      )}
    </span>
  )
}
