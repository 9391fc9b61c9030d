import { ActionIcon, Tooltip } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconMaximize, IconMinimize } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLetterKeys } from '@/shared/ui'
import { sectionId, showNode } from '../showNode'

/** What has F for itself. */
const others = '[data-pane="try"], [role="dialog"], [role="menu"], [role="listbox"]'

/** Whether the instructions take the whole window. F opens that, if they are on the page; F and Escape leave it. */
export function useFullScreen(may: boolean) {
  const [full, setFull] = useState(false)
  const trying = useSearch({ strict: false, select: (search) => search.try !== undefined })
  const toggle = () => {
    setFull(!full)
    showNode('agent')
  }
  const onF = ({ target }: KeyboardEvent) => {
    const shown = document.querySelector(`#${sectionId('instructions')}`)?.checkVisibility?.() ?? true
    if (shown && !trying && target instanceof Element && !target.closest(others)) toggle()
  }
  useLetterKeys(may ? [['f', onF]] : [])
  useHotkeys(full ? [['Escape', () => setFull(false)]] : [], [])
  return { full, toggle }
}

export function FullScreenButton({ full, onClick }: { full: boolean; onClick: () => void }) {
  const { t } = useTranslation('agents')
  const label = t(full ? 'editor.exit' : 'editor.full')
  const Icon = full ? IconMinimize : IconMaximize
  return (
    <Tooltip label={t('editor.withKey', { action: label, key: full ? 'Esc' : 'F' })}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={24}
        aria-label={label}
        aria-keyshortcuts={full ? 'Escape' : 'F'}
        onClick={onClick}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
