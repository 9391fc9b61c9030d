/** The nodes of the flow in their order, as the address names them. */
export const nodeNames = ['channels', 'agent', 'model', 'knowledge', 'actions'] as const

export type NodeName = (typeof nodeNames)[number]

export const sectionId = (section: string) => `build-${section}`

/** Opens the fields of a node that are on the page, and goes there. */
export function showNode(node: NodeName) {
  const name = node === 'agent' ? 'instructions' : node
  const section = document.querySelector<HTMLDetailsElement>(`#${sectionId(name)}`)
  if (!section) return
  section.open = true
  section.querySelector<HTMLElement>(node === 'agent' ? 'textarea' : 'summary')?.focus()
  section.scrollIntoView?.({ block: 'nearest' })
}
