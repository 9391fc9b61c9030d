import { ActionIcon, Menu } from '@mantine/core'
import { IconChecklist, IconDots, IconLink, IconPlayerPlay } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { formatNumber } from '@/shared/format'
import { linkTo } from '../links'
import type { Turn } from '../queries'
import { CopyItem } from '../turn/CopyItem'

type Props = {
  turn: Turn
  agentId: string
  /** Whether the texts are shown as they were sent. */
  exact: boolean
  setExact: (exact: boolean) => void
}

/** A menu of what can be done with a turn. */
export function TurnTools({ turn, agentId, exact, setExact }: Props) {
  const { t } = useTranslation('conversations')
  const answered = turn.state === 'ANSWERED'
  const may = useMay('EDITOR')
  const params = { id: agentId }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={24} aria-label={t('turnActions', { number: formatNumber(turn.number) })}>
          <IconDots size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxItem checked={exact} onChange={setExact} closeMenuOnClick>
          {t('asSent', { ns: 'texts' })}
        </Menu.CheckboxItem>
        {turn.reply && <CopyItem value={turn.reply} />}
        <CopyItem
          value={linkTo(turn.conversationId, turn.number)}
          label={t('copyLink', { ns: 'common' })}
          icon={IconLink}
        />
        {may && answered && (
          <Menu.Item
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/agents/$id" params={params} search={{ continue: turn.id }} {...props} />}
          >
            {t('continueInTry')}
          </Menu.Item>
        )}
        {may && answered && turn.source !== 'TEST' && (
          <Menu.Item
            leftSection={<IconChecklist size={16} aria-hidden />}
            renderRoot={(props) => (
              <Link
                to="/agents/$id/tests"
                params={params}
                search={{ case: 'new' as const, ofTurn: turn.id }}
                {...props}
              />
            )}
          >
            {t('makeCase', { ns: 'texts' })}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
