import type { TFunction } from 'i18next'
import type { Content, Known } from './content'

export type KnowledgeChange = { kind: 'added' | 'removed' | 'replaced'; names: string[] }

/** The sources of a version, or those of a draft that are known and can be published. */
export const sourcesOf = ({ knowledge }: Pick<Content, 'knowledge'>): readonly Known[] =>
  'nodes' in knowledge ? knowledge.nodes.filter(({ inDraft, state }) => inDraft && state === 'READY') : knowledge

/** Which sources come, go and are replaced by one of the same name from one content to another; only what there is of these. */
export function knowledgeChanges(before: Pick<Content, 'knowledge'>, after: Pick<Content, 'knowledge'>) {
  const [old, now] = [sourcesOf(before), sourcesOf(after)]
  const has = (list: readonly Known[], id: string) => list.some((one) => one.id === id)
  // Of a draft only the newest sources are read, but each source says whether the draft has it.
  const stays = ({ id, inDraft }: Known) => ('nodes' in after.knowledge ? inDraft : has(now, id))
  const namesOf = (list: readonly Known[]) => list.map(({ name }) => name)
  const gone = namesOf(old.filter((one) => !stays(one)))
  const come = namesOf(now.filter(({ id }) => !has(old, id)))
  const changes: KnowledgeChange[] = [
    { kind: 'added', names: come.filter((name) => !gone.includes(name)) },
    { kind: 'removed', names: gone.filter((name) => !come.includes(name)) },
    { kind: 'replaced', names: come.filter((name) => gone.includes(name)) },
  ]
  return changes.filter(({ names }) => names.length > 0)
}

/** Names of sources in a sentence, whatever they consist of: “Terms”, “May I return it?”. */
export const quoted = (t: TFunction<'versions'>, names: readonly string[]) =>
  names.map((name) => t('quoted', { name })).join(', ')
