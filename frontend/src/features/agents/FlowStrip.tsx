import { Paper, UnstyledButton } from '@mantine/core'
import { IconBolt, IconBook, IconBrain, IconPlugConnected, IconRobot } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { priceOf } from '@/features/versions'
import styles from './FlowStrip.module.css'
import { knowledgeUseQuery } from './knowledge/knowledgeUse'
import type { Agent } from './queries'
import { type NodeName, nodeButtonId, nodeNames } from './showNode'

const icons = {
  channels: IconPlugConnected,
  agent: IconRobot,
  model: IconBrain,
  knowledge: IconBook,
  actions: IconBolt,
}

type Props = { agent: Agent; channelsOpen: boolean; onOpen: (node: NodeName) => void }

/**
 * Channels -> Agent -> Model: the path of a message, with Knowledge and Actions where the draft has some. Channels opens its drawer; the
 * others lead to their fields.
 */
export function FlowStrip({ agent, channelsOpen, onOpen }: Props) {
  const { t } = useTranslation('agents')
  const texts = useTexts(agent)
  return (
    <Paper component="ol" className={styles.strip} aria-label={t('flow')}>
      {nodeNames.map((name) => {
        const Icon = icons[name]
        const node = texts[name]
        if (!node) return null
        const { text, attention } = node
        return (
          <li key={name} data-short={name === 'knowledge' || name === 'actions' || undefined}>
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

type NodeText = { text: string; attention?: boolean }

/** The text next to the title of each node that the draft uses, and whether it needs attention. */
function useTexts(agent: Agent): Partial<Record<NodeName, NodeText>> {
  const { t } = useTranslation('agents')
  const { mode = 'NONE' } = useQuery(knowledgeUseQuery(agent.id)).data?.agent.knowledgeUse ?? {}
  const lacks = (...requirements: Agent['missing']) => requirements.some((one) => agent.missing.includes(one))
  const model = agent.model
    ? t(agent.model.available ? 'modelOption' : 'modelGone', {
        label: agent.model.label,
        count: priceOf(agent.model, mode !== 'NONE'),
      })
    : t('noModel')
  const instructions = t(lacks('INSTRUCTIONS') ? 'noInstructions' : 'hasInstructions')
  return {
    channels: { text: t('exportCount', { count: agent.exports.length }) },
    agent: { text: lacks('NAME') ? t('noName') : instructions, attention: lacks('NAME', 'INSTRUCTIONS') },
    model: { text: model, attention: lacks('MODEL') },
    ...(mode !== 'NONE' && { knowledge: { text: t(`knows.${mode}`) } }),
    ...(agent.actions.length > 0 && { actions: { text: t('actionCount', { count: agent.actions.length }) } }),
  }
}
