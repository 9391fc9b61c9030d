import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { asScheme, schemes } from './schemes'

/** The three themes, as a segmented control. */
export function ThemeControl() {
  const { t } = useTranslation('shell')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      w="fit-content"
      aria-label={t('theme')}
      value={colorScheme}
      onChange={(value) => setColorScheme(asScheme(value))}
      data={schemes.map(({ value, label }) => ({ value, label: t(label) }))}
    />
  )
}
