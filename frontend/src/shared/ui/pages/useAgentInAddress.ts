import { useMatch } from '@tanstack/react-router'

const isOfAgent = (path: string) => path.startsWith('/agents/$id/')

/** The agent whose page this is; none on the account's pages. */
export const useAgentInAddress = (): string | undefined =>
  useMatch({ strict: false, select: ({ fullPath, params }) => (isOfAgent(fullPath) ? params.id : undefined) })
