import { ActionIcon, Tooltip } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconMaximize, IconMinimize } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLetterKeys } from '@/shared/ui'
import { showNode } from '../showNode'

/** Whether the instructions take the whole window. F opens that, unless it is for Try or a dialog; F and Escape leave it. */
export function useFullScreen(may: boolean) {
  const [full, setFull] = useState(false)
  const toggle = () => {
    setFull(!full)
    showNode('agent')
  }
  const onF = ({ target }: KeyboardEvent) => {
    if (target instanceof Element && !target.closest('[data-pane="try"], [role="dialog"]')) toggle()
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
