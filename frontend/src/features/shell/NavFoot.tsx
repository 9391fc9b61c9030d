import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The foot of the navigation. The explorer is a separate page, so this is a plain link. */
export function NavFoot() {
  const { t } = useTranslation('shell')
  return (
    <Anchor href="/explorer" size="sm" c="dimmed" mt="auto" px="sm" py={6} style={{ borderRadius: 6 }}>
      {t('explorer')}
    </Anchor>
  )
}
