import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '@/shared/format'
import { formatRelative, useNow } from '@/shared/time'
import { attentionLinks as links } from '../links'
import type { Concern } from './attention'

type Words = {
  tone: 'bad' | 'warn' | 'info'
  link: Pick<LinkProps, 'to' | 'params' | 'search'>
  /** The subject, if it begins the sentence. */
  name?: string
  text: ReactNode
  fact?: string
  /** What to do about it. */
  action: string
}

/** What needs attention, in words, and where to do something about it. */
export function useWords(concern: Concern): Words {
  const { t } = useTranslation('home')
  const now = useNow()
  switch (concern.kind) {
    case 'failing': {
      const { agent, failed, all, code } = concern
      const share = percent(failed, all)
      const [before, after] = t('concern.failing', { share, name: '{{name}}' }).split('{{name}}')
      const counts = t('concern.failed', { failed: formatNumber(failed), all: formatNumber(all) })
      return {
        tone: 'bad',
        link: links.failing(agent.id),
        text: (
          <>
            {before}
            <b className="panel-user-text">{agent.name}</b>
            {after}
          </>
        ),
        fact: [counts, code].filter(Boolean).join(' · '),
        action: t('action.failing'),
      }
    }
    case 'limit': {
      const { used, limit, period } = concern
      const amounts = { used: formatNumber(used), limit: formatNumber(limit) }
      return {
        tone: used >= limit ? 'bad' : 'warn',
        link: links.export(concern.export.id),
        name: concern.export.name,
        text: t(`concern.limit.${period}`, { share: percent(used, limit) }),
        fact: t(`concern.used.${period}`, amounts),
        action: t('action.limit'),
      }
    }
    case 'expiring':
      return {
        tone: 'warn',
        link: links.export(concern.export.id),
        name: concern.export.name,
        text: t('concern.expiring', { when: formatRelative(Date.parse(concern.expiresAt), now) }),
        action: t('action.expiring'),
      }
    case 'unpublished':
      return {
        tone: 'info',
        link: links.unpublished(concern.agent.id),
        name: concern.agent.name,
        text: t('concern.unpublished'),
        fact: t('concern.live', { version: concern.version }),
        action: t('action.unpublished'),
      }
  }
}

const percent = (part: number, whole: number) => formatPercent(Math.floor((100 * part) / whole))
