import { Drawer } from '@mantine/core'
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingState } from '@/shared/ui'
import type { Agent } from './queries'

export type NodeName = 'channels' | 'agent' | 'model'

export const nodeButtonId = (node: NodeName) => `agent-node-${node}`

const AgentForm = lazy(() => import('./AgentForm'))
const ModelForm = lazy(() => import('./ModelForm'))
const ChannelsPanel = lazy(async () => ({ default: (await import('@/features/exports')).ChannelsPanel }))

type Props = {
  agent: Agent
  node: NodeName | undefined
  onClose: () => void
  /** Called when the drawer has closed. */
  onClosed: (node: NodeName) => void
}

/** The drawer of a node of the flow. */
export function AgentDrawer({ agent, node, onClose, onClosed }: Props) {
  const { t } = useTranslation('agents')
  const last = useRef<NodeName>('agent')
  if (node) last.current = node
  // Escape closes the drawer only when pressed in it; Mantine would close it together with a dialog above it.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as Element
    if (event.key !== 'Escape' || event.defaultPrevented || !event.currentTarget.contains(target)) return
    if (target.getAttribute('data-mantine-stop-propagation') === 'true') return
    onClose()
  }
  useKeysOfBody(node !== undefined, onClose)
  return (
    <Drawer
      opened={node !== undefined}
      onClose={onClose}
      onExitTransitionEnd={() => onClosed(last.current)}
      position="right"
      size="min(100%, 640px)"
      title={t(`node.${last.current}`)}
      closeOnEscape={false}
      onKeyDown={onKeyDown}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
    >
      <Suspense fallback={<LoadingState rows={3} />}>
        {node === 'channels' && (
          <ChannelsPanel
            agentId={agent.id}
            agentName={agent.name}
            agentState={agent.state}
            sandbox={agent.model?.sandbox ?? false}
          />
        )}
        {node === 'agent' && <AgentForm agent={agent} />}
        {node === 'model' && <ModelForm agent={agent} />}
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
