import { Paper, useComputedColorScheme } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconBrain, IconPlugConnected, IconRobot } from '@tabler/icons-react'
import {
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  useReactFlow,
  useStore,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type NodeName, nodeButtonId } from './AgentDrawer'
import './canvas.css'
import type { Agent } from './queries'

const height = 84
/** A node's width and the gap between nodes. */
const sizes = { usual: { width: 208, gap: 56 }, roomy: { width: 272, gap: 72 } } as const
const fit = { padding: '8px', maxZoom: 1 } as const
// Below this width, three nodes do not fit beside the navigation.
const narrow = '(max-width: 899px)'
const wide = '(min-width: 1200px)'
const icons = { channels: IconPlugConnected, agent: IconRobot, model: IconBrain }
const order: NodeName[] = ['channels', 'agent', 'model']

type Data = {
  name: NodeName
  title: string
  text: string
  attention: boolean
  opened: boolean
  down: boolean
  onOpen: () => void
}
type CanvasNode = Node<Data, 'button'>

const nodeTypes = { button: NodeButton }

type Props = { agent: Agent; open: NodeName | undefined; onOpen: (node: NodeName) => void }

/** Channels -> Agent -> Model: the path of a message. Each node opens its drawer. */
export default function AgentCanvas({ agent, open, onOpen }: Props) {
  const { t } = useTranslation('agents')
  const down = useMediaQuery(narrow, false, { getInitialValueInEffect: false })
  const roomy = useMediaQuery(wide, false, { getInitialValueInEffect: false })
  const { width, gap } = roomy ? sizes.roomy : sizes.usual
  const colorMode = useComputedColorScheme('light')
  const texts = useTexts(agent)
  const nodes = order.map(
    (name, place): CanvasNode => ({
      id: name,
      type: 'button',
      position: down ? { x: 0, y: place * (height + gap / 2) } : { x: place * (width + gap), y: 0 },
      width,
      height,
      ariaRole: 'group',
      ariaLabel: t(`node.${name}`),
      sourcePosition: down ? Position.Bottom : Position.Right,
      targetPosition: down ? Position.Top : Position.Left,
      data: { name, ...texts[name], title: t(`node.${name}`), opened: open === name, down, onOpen: () => onOpen(name) },
    }),
  )
  return (
    <Paper h={down ? 3 * height + gap + 32 : height + 64} style={{ overflow: 'hidden' }}>
      <ReactFlow
        key={down ? 'down' : `across ${width}`}
        aria-label={t('canvas')}
        nodes={nodes}
        edges={edges(t('messagesTo'))}
        nodeTypes={nodeTypes}
        colorMode={colorMode}
        fitView
        fitViewOptions={fit}
        minZoom={0.3}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        panOnDrag={false}
        zoomOnScroll={false}
        zoomOnPinch={false}
        zoomOnDoubleClick={false}
        preventScrolling={false}
        disableKeyboardA11y
        proOptions={{ hideAttribution: true }}
      >
        <KeepFitting />
      </ReactFlow>
    </Paper>
  )
}

function edges(label: string): Edge[] {
  const markerEnd = { type: MarkerType.ArrowClosed, color: 'var(--panel-input-border)' }
  const style = { stroke: 'var(--panel-input-border)' }
  return [
    { id: 'in', source: 'channels', target: 'agent', markerEnd, style, ariaLabel: label },
    { id: 'out', source: 'agent', target: 'model', markerEnd, style, ariaLabel: label },
  ]
}

/** The line under each node's title, and whether it needs attention. */
function useTexts(agent: Agent): Record<NodeName, { text: string; attention: boolean }> {
  const { t } = useTranslation('agents')
  const lacks = (...requirements: Agent['missing']) => requirements.some((one) => agent.missing.includes(one))
  const model = agent.model
    ? t(agent.model.available ? 'modelOption' : 'modelGone', {
        label: agent.model.label,
        count: agent.model.creditsPerMessage,
      })
    : t('noModel')
  const instructions = t(lacks('INSTRUCTIONS') ? 'noInstructions' : 'hasInstructions')
  return {
    channels: { text: t('exportCount', { count: agent.exports.length }), attention: false },
    agent: { text: lacks('NAME') ? t('noName') : instructions, attention: lacks('NAME', 'INSTRUCTIONS') },
    model: { text: model, attention: lacks('MODEL') },
  }
}

function NodeButton({ data }: NodeProps<CanvasNode>) {
  const { name, title, text, attention, opened, down, onOpen } = data
  const Icon = icons[name]
  return (
    <>
      {name !== 'channels' && (
        <Handle type="target" position={down ? Position.Top : Position.Left} isConnectable={false} aria-hidden />
      )}
      <button
        type="button"
        id={nodeButtonId(name)}
        className="agent-node nodrag nopan"
        data-attention={attention || undefined}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={onOpen}
      >
        <span className="agent-node-title">
          <Icon size={18} aria-hidden /> {title}
        </span>
        <span className="agent-node-text">{text}</span>
      </button>
      {name !== 'model' && (
        <Handle type="source" position={down ? Position.Bottom : Position.Right} isConnectable={false} aria-hidden />
      )}
    </>
  )
}

/** Keeps the nodes in view when the window is resized. */
function KeepFitting() {
  const { fitView } = useReactFlow()
  const size = useStore((state) => `${state.width} ${state.height}`)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size is what it follows
  useEffect(() => void fitView(fit), [fitView, size])
  return null
}
