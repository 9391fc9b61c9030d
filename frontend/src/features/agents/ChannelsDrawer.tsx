import { type KeyboardEvent, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Drawer, LoadingState, part } from '@/shared/ui'
import type { Agent } from './queries'

const ChannelsPanel = part(async () => ({ default: (await import('@/features/exports')).ChannelsPanel }))

type Props = {
  agent: Agent
  opened: boolean
  onClose: () => void
  /** Called when the drawer has closed. */
  onClosed: () => void
}

/** The drawer in which an agent's exports are made. */
export function ChannelsDrawer({ agent, opened, onClose, onClosed }: Props) {
  const { t } = useTranslation('agents')
  // Escape closes the drawer only when pressed in it; Mantine would close it together with a dialog above it.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as Element
    if (event.key !== 'Escape' || event.defaultPrevented || !event.currentTarget.contains(target)) return
    if (target.getAttribute('data-mantine-stop-propagation') === 'true') return
    onClose()
  }
  useKeysOfBody(opened, onClose)
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      position="right"
      size="min(100%, 640px)"
      title={t('node.channels')}
      closeOnEscape={false}
      onKeyDown={onKeyDown}
      returnFocus={false}
    >
      <Suspense fallback={<LoadingState rows={3} />}>
        <ChannelsPanel
          agentId={agent.id}
          agentName={agent.name}
          agentState={agent.state}
          sandbox={agent.model?.sandbox ?? false}
          narrow
        />
      </Suspense>
    </Drawer>
  )
}

/** A button that is disabled while pending loses the focus to the body. Keys pressed then are still meant for the drawer. */
function useKeysOfBody(opened: boolean, onClose: () => void) {
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    if (!opened) return
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const [dialog, another] = document.querySelectorAll<HTMLElement>('[role="dialog"]')
      if (event.target !== document.body || another) return
      if (event.key === 'Escape') close.current()
      if (event.key === 'Tab') dialog?.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [opened])
}
