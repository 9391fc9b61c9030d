import type { QueryClient } from '@tanstack/react-query'

// The conversation that was last open in this tab's playground, for each agent: a change of page must not lose it.
const prefix = 'playground '

export function remembered(agentId: string): string | undefined {
  try {
    return sessionStorage.getItem(prefix + agentId) ?? undefined
  } catch {
    return undefined // Storage is disabled.
  }
}

export function remember(agentId: string, sessionId: string) {
  try {
    sessionStorage.setItem(prefix + agentId, sessionId)
  } catch {
    // Storage is disabled: the address still has it.
  }
}

/** Forgets the conversations of one agent, or of all. */
export function forgetRemembered(agentId?: string) {
  try {
    for (const name of Object.keys(sessionStorage))
      if (agentId === undefined ? name.startsWith(prefix) : name === prefix + agentId) sessionStorage.removeItem(name)
  } catch {
    // Storage is disabled.
  }
}

/** Drops what this tab still has of what was deleted or erased, whatever showed it, and reads the open page again. */
export async function forgetErased(queryClient: QueryClient) {
  forgetRemembered()
  queryClient.removeQueries({ type: 'inactive' })
  await queryClient.invalidateQueries()
}
