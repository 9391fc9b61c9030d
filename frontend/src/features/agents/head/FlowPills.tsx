import { IconBolt, IconBook, IconBrain, IconPlugConnected, IconRobot } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '@/shared/ui'
import type { Agent } from '../queries'
import { type NodeName, nodeNames, showNode } from '../showNode'
import classes from './FlowPills.module.css'

const icons = {
  channels: IconPlugConnected,
  agent: IconRobot,
  model: IconBrain,
  knowledge: IconBook,
  actions: IconBolt,
}

/**
 * Channels -> Agent -> Model: the path of a message, with Knowledge and Actions where the draft has some. Channels leads to its tab, the
 * others to their sections of Build.
 */
export function FlowPills({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents')
  const texts = useTexts(agent)
  return (
    <ol className={classes.pills} aria-label={t('flow')}>
      {nodeNames.map((name) => {
        const Icon = icons[name]
        const node = texts[name]
        if (!node) return null
        const to = name === 'channels' ? '/agents/$id/channels' : '/agents/$id'
        return (
          <li key={name}>
            <AppLink
              to={to}
              params={{ id: agent.id }}
              search={name === 'channels' ? {} : { node: name }}
              // The address may name this section already.
              onClick={() => showNode(name)}
              resetScroll={name === 'channels'}
              underline="never"
              className={classes.pill}
              data-attention={node.attention || undefined}
            >
              <Icon size={14} aria-hidden />
              <span className={classes.title}>{t(`node.${name}`)}</span>{' '}
              <span className={classes.text}>{node.text}</span>
            </AppLink>
          </li>
        )
      })}
    </ol>
  )
}

type NodeText = { text: string; attention?: boolean }

/** The text next to the title of each node that the draft uses, and whether it needs attention. */
function useTexts(agent: Agent): Partial<Record<NodeName, NodeText>> {
  const { t } = useTranslation('agents')
  const { mode } = agent.knowledgeUse
  const lacks = (...requirements: Agent['missing']) => requirements.some((one) => agent.missing.includes(one))
  return {
    channels: { text: t('exportCount', { count: agent.exports.length }) },
    agent: {
      text: lacks('NAME') ? t('noName') : lacks('INSTRUCTIONS') ? t('noInstructions') : '',
      attention: lacks('NAME', 'INSTRUCTIONS'),
    },
    model: { text: agent.model?.label ?? t('noModel'), attention: lacks('MODEL') },
    ...(mode !== 'NONE' && { knowledge: { text: t(`knows.${mode}`) } }),
    ...(agent.actions.length > 0 && { actions: { text: t('actionCount', { count: agent.actions.length }) } }),
  }
}
