import type { ReactNode } from 'react'
import { type Agent, AgentPage, BuildForm } from '@/features/agents'
import { renderPage } from './renderPage'

/** Renders an agent's page with its head and one part: both panes below it would take most of a test's time. */
export function renderAgent(address: string, part: (agent: Agent) => ReactNode = () => null) {
  return renderPage(address, { '/agents/$id/': () => <AgentPage workbench={part} /> })
}

/** Renders an agent's page with the form of the draft. */
export const renderBuild = (address: string) => renderAgent(address, (agent) => <BuildForm agent={agent} />)
