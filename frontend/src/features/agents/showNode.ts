/** The nodes of the flow, as the address names them. */
export type NodeName = 'channels' | 'agent' | 'model'

export const nodeButtonId = (node: NodeName) => `agent-node-${node}`

/** The folds of the form. */
export const foldId = {
  model: 'build-model',
  variables: 'build-variables',
  answers: 'build-answers',
  name: 'build-name',
} as const

/** Goes to the fields of a node that are on the page. */
export function showNode(node: NodeName) {
  if (node === 'agent') document.querySelector<HTMLElement>('[aria-labelledby~="instructions-title"]')?.focus()
  const fold = node === 'model' && document.querySelector<HTMLDetailsElement>(`#${foldId.model}`)
  if (!fold) return
  fold.open = true
  fold.querySelector('summary')?.focus()
  fold.scrollIntoView?.({ block: 'nearest' })
}
