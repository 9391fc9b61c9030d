import { Paper, UnstyledButton } from '@mantine/core'
import { IconBrain, IconPlugConnected, IconRobot } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { priceOf, useKnows } from '@/features/knowledge'
import styles from './FlowStrip.module.css'
import type { Agent } from './queries'
import { type NodeName, nodeButtonId } from './showNode'

const icons = { channels: IconPlugConnected, agent: IconRobot, model: IconBrain }
const order: NodeName[] = ['channels', 'agent', 'model']

type Props = { agent: Agent; channelsOpen: boolean; onOpen: (node: NodeName) => void }

/** Channels -> Agent -> Model: the path of a message. Channels opens its drawer; the others lead to their fields. */
export function FlowStrip({ agent, channelsOpen, onOpen }: Props) {
  const { t } = useTranslation('agents')
  const texts = useTexts(agent)
  return (
    <Paper component="ol" className={styles.strip} aria-label={t('flow')}>
      {order.map((name) => {
        const Icon = icons[name]
        const { text, attention } = texts[name]
        return (
          <li key={name}>
            <UnstyledButton
              id={nodeButtonId(name)}
              className={styles.node}
              data-attention={attention || undefined}
              {...(name === 'channels' && { 'aria-haspopup': 'dialog', 'aria-expanded': channelsOpen })}
              onClick={() => onOpen(name)}
            >
              <Icon size={16} aria-hidden />
              <span className={styles.title}>{t(`node.${name}`)}</span> <span className={styles.text}>{text}</span>
            </UnstyledButton>
          </li>
        )
      })}
    </Paper>
  )
}

/** The text beside each node's title, and whether it needs attention. */
function useTexts(agent: Agent): Record<NodeName, { text: string; attention: boolean }> {
  const { t } = useTranslation('agents')
  const knows = useKnows(agent.id)
  const lacks = (...requirements: Agent['missing']) => requirements.some((one) => agent.missing.includes(one))
  const model = agent.model
    ? t(agent.model.available ? 'modelOption' : 'modelGone', {
        label: agent.model.label,
        count: priceOf(agent.model, knows),
      })
    : t('noModel')
  const instructions = t(lacks('INSTRUCTIONS') ? 'noInstructions' : 'hasInstructions')
  return {
    channels: { text: t('exportCount', { count: agent.exports.length }), attention: false },
    agent: { text: lacks('NAME') ? t('noName') : instructions, attention: lacks('NAME', 'INSTRUCTIONS') },
    model: { text: model, attention: lacks('MODEL') },
  }
}
