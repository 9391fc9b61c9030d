import { Code, Group } from '@mantine/core'
import { CopyButton } from './CopyButton'

const longest = 20
const ends = 8

/** An ID: a long one by its beginning and end, with all of it for the pointer and the clipboard. `copy` names the button. */
export function ShortId({ id, copy }: { id: string; copy: string }) {
  const letters = Array.from(id)
  const short = letters.length <= longest ? id : `${letters.slice(0, ends).join('')}…${letters.slice(-ends).join('')}`
  return (
    <Group gap={4} wrap="nowrap">
      <Code className="panel-user-text" title={short === id ? undefined : id}>
        {short}
      </Code>
      <CopyButton iconOnly value={id} label={copy} />
    </Group>
  )
}
