import { Box, CloseButton, Input } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useFocusReturn, usePhone } from '@/shared/ui'
import classes from './Palette.module.css'
import { countShell, holdField, palette, useTyping } from './typing'

// The field does not wait for its list.
const Hits = lazy(() => import('./Hits').catch(() => ({ default: NoHits })))
const hitsId = 'palette-hits'

type Props = { showKeys: () => void }

/**
 * The command palette: pages, actions, agents and exports by name, users and sessions by ID, and a
 * search for what was typed.
 */
export function Palette({ showKeys }: Props) {
  useLayoutEffect(countShell, [])
  const typing = useTyping()
  return typing && <Opened {...typing} showKeys={showKeys} />
}

/** Not a kit dialog, which would take the focus later and be part of every page. */
function Opened({ text, entered, showKeys }: Props & { text: string; entered: boolean }) {
  const { t } = useTranslation('shell')
  const [chosen, setChosen] = useState<string>()
  useFocusReturn()
  return createPortal(
    <Box
      className={classes.scrim}
      onMouseDown={({ target, currentTarget }) => target === currentTarget && palette.close()}
    >
      <div role="dialog" aria-modal aria-label={t('palette')} className={`${classes.box} panel-float`}>
        <Input
          ref={holdField}
          role="combobox"
          aria-label={t('palette')}
          aria-expanded={!!chosen}
          aria-controls={chosen && hitsId}
          aria-activedescendant={chosen}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={t(usePhone() ? 'palette' : 'palettePlaceholder')}
          value={text}
          onChange={({ currentTarget }) => palette.type(currentTarget.value)}
          size="lg"
          variant="unstyled"
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={<CloseButton aria-label={t('close', { ns: 'common' })} tabIndex={-1} onClick={palette.close} />}
          rightSectionPointerEvents="all"
          classNames={{ input: classes.field }}
        />
        <Suspense fallback={<div className={classes.title}>{t('paletteLoading')}</div>}>
          <Hits id={hitsId} text={text} entered={entered} onChosen={setChosen} showKeys={showKeys} />
        </Suspense>
      </div>
    </Box>,
    document.body,
  )
}

function NoHits() {
  const { t } = useTranslation()
  return (
    <div role="alert" className={classes.title}>
      {t('error.network')}
    </div>
  )
}
