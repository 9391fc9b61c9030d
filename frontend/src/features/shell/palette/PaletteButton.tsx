import { UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ComponentProps, lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFocusReturn, useLetterKeys } from '@/shared/ui'
import { focusListSearch } from './listSearch'

const load = () => import('./Palette')
const Palette = lazy(load)

/** How long after the start to load it: what is typed after Ctrl K while it loads is lost. */
const calmMs = 3_000

/** Opens the command palette, as Ctrl+K does on every page. `/` goes to the search field of a list. */
export function PaletteButton({ showKeys }: { showKeys: () => void }) {
  const { t } = useTranslation('shell')
  const [opened, setOpened] = useState(false)
  const open = () => setOpened(true)
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => {}), calmMs)
    return () => clearTimeout(timer)
  }, [])
  useHotkeys([['mod+K', open]], [])
  useLetterKeys([['/', focusListSearch]])
  return (
    <>
      <UnstyledButton
        className="panel-find"
        aria-label={t('palette')}
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={open}
      >
        <IconSearch size={16} aria-hidden />
        <span>{t('palette')}</span>
        <kbd>{t('paletteKeys')}</kbd>
      </UnstyledButton>
      {opened && (
        <Suspense fallback={null}>
          <Opened onClosed={() => setOpened(false)} showKeys={showKeys} />
        </Suspense>
      )}
    </>
  )
}

function Opened(props: ComponentProps<typeof Palette>) {
  useFocusReturn()
  return <Palette {...props} />
}
