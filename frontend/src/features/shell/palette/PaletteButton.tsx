import { UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLetterKeys } from '@/shared/ui'
import { focusListSearch } from './listSearch'
import { palette } from './typing'

/** Opens the command palette, as Ctrl+K does. `/` goes to the search field of a list. */
export function PaletteButton() {
  const { t } = useTranslation('shell')
  useLetterKeys([['/', focusListSearch]])
  return (
    <UnstyledButton
      className="panel-find"
      aria-label={t('palette')}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={palette.open}
    >
      <IconSearch size={16} aria-hidden />
      <span>{t('palette')}</span>
      <kbd>{t('paletteKeys')}</kbd>
    </UnstyledButton>
  )
}
