import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { beginningOf } from '@/shared/format'
import type { Content } from '../diff/content'
import { leftovers } from './leftovers'

const shownAtMost = 5
const longest = 120

/** Points out placeholders that were left in the instructions. They do not keep anybody from publishing. */
export function Leftovers({ content: { instructions } }: { content: Pick<Content, 'instructions'> }) {
  const { t } = useTranslation('versions')
  const found = useMemo(() => leftovers(instructions), [instructions])
  if (found.length === 0) return null
  return (
    <Alert
      color="yellow"
      role="status"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('leftovers', { count: found.length })}
    >
      <ul className="panel-user-text" style={{ margin: 0, paddingInlineStart: 20 }}>
        {found.slice(0, shownAtMost).map(({ line, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line may have the same text twice
          <li key={at}>{t('leftover', { line, text: beginningOf(text, longest) })}</li>
        ))}
        {found.length > shownAtMost && <li>{t('moreLeftovers', { count: found.length - shownAtMost })}</li>}
      </ul>
    </Alert>
  )
}
