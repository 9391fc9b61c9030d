import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconChecklist, IconCopy, IconDots } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatNumber } from '@/shared/format'
import { copyText } from '@/shared/ui'
import type { SentTurn } from '../queries'

/** What else there is of a reply: as it was sent, to copy, and who gave it, with its tokens and its first text. */
export function ReplyMenu({ turn, raw, onRaw }: { turn: SentTurn; raw: boolean; onRaw: () => void }) {
  const { t } = useTranslation('playground')
  const [copied, setCopied] = useState<boolean>()
  const { id: agentId } = useParams({ strict: false })
  const { version, model, reply, inputTokens, outputTokens, firstTextMs } = turn
  const copy = copied === undefined ? 'copy.copy' : copied ? 'copy.copied' : 'copy.failed'
  return (
    <Menu position="bottom-end" onOpen={() => setCopied(undefined)}>
      <Menu.Target>
        <ActionIcon size={24} variant="subtle" color="gray" aria-label={t('more')}>
          <IconDots size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxItem checked={raw} onChange={onRaw} closeMenuOnClick>
          {t('asSent', { ns: 'texts' })}
        </Menu.CheckboxItem>
        <Menu.Item
          closeMenuOnClick={false}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          onClick={async () => setCopied(await copyText(reply ?? ''))}
        >
          {t(copy, { ns: 'common' })}
        </Menu.Item>
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
