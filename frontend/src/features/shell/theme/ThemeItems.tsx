import { Menu, useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { asScheme, schemes } from './schemes'

/** The three themes, as menu items. */
export function ThemeItems() {
  const { t } = useTranslation('shell')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(asScheme(value))}>
      <Menu.Label>{t('theme')}</Menu.Label>
      {schemes.map(({ value, label }) => (
        <Menu.RadioItem key={value} value={value}>
          {t(label)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
