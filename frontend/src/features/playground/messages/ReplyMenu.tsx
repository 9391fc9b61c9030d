import { ActionIcon, Menu } from '@mantine/core'
import { IconChecklist, IconDots } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { CopyItem } from '@/features/conversations'
import { formatDuration, formatNumber } from '@/shared/format'
import type { SentTurn } from '../queries'

/** What else there is of a reply: as it was sent, to copy, and who gave it, with its tokens and its first text. */
export function ReplyMenu({ turn, raw, onRaw }: { turn: SentTurn; raw: boolean; onRaw: () => void }) {
  const { t } = useTranslation('playground')
  const { id: agentId } = useParams({ strict: false })
  const { version, model, reply, inputTokens, outputTokens, firstTextMs } = turn
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={24} variant="subtle" color="gray" aria-label={t('more')}>
          <IconDots size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxItem checked={raw} onChange={onRaw} closeMenuOnClick>
          {t('asSent', { ns: 'texts' })}
        </Menu.CheckboxItem>
        <CopyItem value={reply ?? ''} />
        {agentId && (
          <Menu.Item
            renderRoot={(props) => (
              <Link
                to="/agents/$id/tests"
                params={{ id: agentId }}
                search={{ case: 'new' as const, ofTurn: turn.id }}
                {...props}
              />
            )}
            leftSection={<IconChecklist size={16} aria-hidden />}
          >
            {t('makeCase', { ns: 'texts' })}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label className="panel-user-text">
          {version == null ? t('draft') : t('version', { number: version })} · {model}
        </Menu.Label>
        {inputTokens != null && outputTokens != null && (
          <Menu.Label>
            {t('tokens', { input: formatNumber(inputTokens), output: formatNumber(outputTokens) })}
          </Menu.Label>
        )}
        {firstTextMs != null && <Menu.Label>{t('firstText', { time: formatDuration(firstTextMs) })}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}
