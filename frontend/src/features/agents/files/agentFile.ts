import type { AgentFileSourcesQuery } from '@/gql/graphql'
import { retrying } from '@/shared/download'
import { gql, hasCode, type Whole } from '@/shared/gql'
import { maxText, readPart } from '../knowledge/queries'
import { AgentFileHeadDocument, AgentFileSourcesDocument } from './queries'

/** How many sources come at once, and how much of each text comes with them: an answer is never longer. */
const page = { first: 40, length: 20_000 }

type Source = NonNullable<AgentFileSourcesQuery['agent']>['knowledge']['nodes'][number]

/**
 * An agent's draft as the file that importing takes: JSON lines, its settings first, then what it knows. `leftOut` names the sources that
 * have not been read.
 */
export async function agentFile(id: string, signal: AbortSignal): Promise<{ file: Blob; leftOut: string[] }> {
  const { agent } = await retrying(() => gql(AgentFileHeadDocument, { id }, { signal }), signal)
  const leftOut: string[] = []
  const parts: Blob[] = []
  let after: string | null | undefined = null
  do {
    const cursor: string | null = after
    const variables = { id, after: cursor, ...page }
    const answer: Whole<AgentFileSourcesQuery> = await retrying(
      () => gql(AgentFileSourcesDocument, variables, { signal }),
      signal,
    )
    const { nodes, pageInfo } = answer.agent.knowledge
    const lines: string[] = []
    for (const source of nodes.filter(({ inDraft }) => inDraft)) {
      if (source.state === 'READY') lines.push(await lineOf(source, signal))
      else leftOut.push(source.name)
    }
    parts.push(new Blob(lines.reverse()))
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after)
  // They came newest first.
  const file = new Blob([`${agent.fileHead}\n`, ...parts.reverse()], { type: 'application/jsonl;charset=utf-8' })
  return { file, leftOut: leftOut.reverse() }
}

/** The line of a source; none if it was deleted meanwhile. */
async function lineOf({ id, kind, name, question, pages, characters, text }: Source, signal: AbortSignal) {
  let whole = text
  try {
    for (let offset = page.length; offset < characters; offset += maxText) {
      const from = offset
      whole += (await retrying(() => readPart(id, from, maxText, signal), signal))?.text ?? ''
    }
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) return ''
    throw error
  }
  const questions = question?.split('\n')
  return `${JSON.stringify({ kind, name, questions, pages: pages ?? undefined, text: whole })}\n`
}
