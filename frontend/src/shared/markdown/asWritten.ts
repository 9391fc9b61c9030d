/** A node of a Markdown or HTML tree. */
type Node = { type: string; value?: string; tagName?: string; properties?: Record<string, unknown>; children?: Node[] }

const containers = ['root', 'blockquote', 'listItem', 'footnoteDefinition']

/** Markdown as people write it: a line break is one, also in what looks like HTML, and a backslash before it is a backslash. */
export function asWritten(this: { data: () => object }) {
  const data: { micromarkExtensions?: unknown[] } = this.data()
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: ['hardBreakEscape'] } }]
  return breakLines
}

function breakLines<Parent extends Node>(parent: Parent): Parent {
  if (!parent.children) return parent
  const children = parent.children.flatMap((child): Node[] => {
    if (child.type !== 'text' && child.type !== 'html') return [breakLines(child)]
    const lines = (child.value ?? '').split(/\r\n?|\n/).map((value) => ({ type: 'text', value }))
    const broken = lines.flatMap((line, i) => (i === 0 ? [line] : [{ type: 'break' }, line]))
    return child.type === 'html' && containers.includes(parent.type)
      ? [{ type: 'paragraph', children: broken }]
      : broken
  })
  return { ...parent, children }
}

/**
 * Gives each outermost block the direction of its own text; the blocks within follow by CSS. Code in a programming language runs
 * left to right everywhere.
 */
export function direct() {
  return (tree: Node) => {
    for (const child of tree.children ?? []) setDirection(child, 'auto')
    directCode(tree)
  }
}

function directCode({ children = [] }: Node) {
  for (const child of children) {
    if (child.tagName === 'pre') setDirection(child, child.children?.[0]?.properties?.className ? 'ltr' : 'auto')
    else directCode(child)
  }
}

function setDirection(node: Node, dir: 'auto' | 'ltr') {
  if (node.type === 'element') node.properties = { ...node.properties, dir }
}
