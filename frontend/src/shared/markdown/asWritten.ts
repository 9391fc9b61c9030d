/** A node of a Markdown or HTML tree. */
type Node = {
  type: string
  value?: string
  url?: string
  tagName?: string
  properties?: Record<string, unknown>
  children?: Node[]
}

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

/** The address of a number in brackets, and the number in it. */
const cited = '#cited-'
export const citedNumber = (href: string) => (href.startsWith(cited) ? Number(href.slice(cited.length)) : undefined)

/** Makes a link of each number in brackets, such as [1], that is not in a link already. */
export function linkNumbers() {
  return function link<Parent extends Node>(parent: Parent): Parent {
    if (!parent.children || parent.type.startsWith('link')) return parent
    const children = parent.children.flatMap((child): Node[] => {
      if (child.type !== 'text') return [link(child)]
      return (child.value ?? '').split(/(\[\d{1,3}\])/).map((value, at) => {
        const text = { type: 'text', value }
        return at % 2 === 0 ? text : { type: 'link', url: cited + value.slice(1, -1), children: [text] }
      })
    })
    return { ...parent, children }
  }
}
