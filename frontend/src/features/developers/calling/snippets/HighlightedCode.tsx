import type { RootContent } from 'hast'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import yaml from 'highlight.js/lib/languages/yaml'
import { createLowlight } from 'lowlight'
import type { ReactNode } from 'react'
import classes from '../code.module.css'
import type { Grammar } from './snippets'

const lowlight = createLowlight({ bash, go, javascript, json, php, python, yaml } satisfies Record<Grammar, unknown>)

/** Code with syntax colours. Loaded separately: until then the same text is shown uncoloured. */
export default function HighlightedCode({ code, grammar }: { code: string; grammar: Grammar }) {
  return <>{lowlight.highlight(grammar, code).children.map(draw)}</>
}

function draw(node: RootContent, place: number): ReactNode {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return null
  const names = Array.isArray(node.properties.className) ? node.properties.className : []
  const known = names.map((name) => classes[String(name)]).filter(Boolean)
  return (
    <span key={place} className={known.join(' ') || undefined}>
      {node.children.map(draw)}
    </span>
  )
}
