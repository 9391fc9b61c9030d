import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { AppLink } from '@/shared/ui'
import type { Reviewed } from '../queries'

/** How many pinned exports are named. */
const namedAtMost = 8

/** Which exports get what is published, and which keep their version. */
export function Recipients({ agent: { exports } }: { agent: Pick<Reviewed, 'exports'> }) {
  const { t } = useTranslation('versions')
  const pinned = exports.filter(({ version }) => version != null)
  const following = exports.length - pinned.length
  return (
    <Stack gap={4} component="section" aria-label={t('recipients')}>
      <Text fw={600} size="sm">
        {t('recipients')}
      </Text>
      {(following > 0 || pinned.length === 0) && (
        <Text>{t('following', { count: following, amount: formatNumber(following) })}</Text>
      )}
      {pinned.length > 0 && (
        <>
          <Text>{t('pinned', { count: pinned.length, amount: formatNumber(pinned.length) })}</Text>
          <ul className="panel-user-text" style={{ margin: 0, paddingInlineStart: 20 }}>
            {pinned.slice(0, namedAtMost).map(({ id, name, version }) => (
              <li key={id}>
                <AppLink to="/exports/$id" params={{ id }} inherit>
                  {t('pinnedTo', { name, number: version })}
                </AppLink>
              </li>
            ))}
            {pinned.length > namedAtMost && <li>{t('morePinned', { count: pinned.length - namedAtMost })}</li>}
          </ul>
        </>
      )}
    </Stack>
  )
}
