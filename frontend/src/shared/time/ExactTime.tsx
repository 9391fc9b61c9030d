import { Tooltip } from '@mantine/core'
import type { RefObject } from 'react'

/** Shows `text` beside what the pointer is on. Loaded on first use: what places it is a tenth of all that a list loads. */
export default function ExactTime({ text, target }: { text: string; target: RefObject<HTMLElement | null> }) {
  return <Tooltip label={text} target={target} defaultOpened className="panel-late" />
}
