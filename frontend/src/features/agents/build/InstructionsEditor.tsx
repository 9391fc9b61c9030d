import { Textarea } from '@mantine/core'
import { type ComponentProps, useMemo, useRef } from 'react'
import { instructionPieces } from '../instructionPieces'
import classes from './InstructionsEditor.module.css'

type Props = ComponentProps<typeof Textarea> & {
  /** The text, whose variables and placeholders are marked. */
  text: string
  /** The names of the agent's variables. */
  declared: string[]
  /** Whether it fills the whole window. */
  full: boolean
}

/**
 * A text field whose variables and leftover placeholders are marked. The marks lie on a layer under the field, which has the same
 * measures and follows its scrolling.
 */
export function InstructionsEditor({ text, declared, full, ...field }: Props) {
  const layer = useRef<HTMLDivElement>(null)
  const pieces = useMemo(() => instructionPieces(text, declared), [text, declared])
  return (
    <div className={classes.editor} data-full={full || undefined}>
      <div ref={layer} className={classes.layer} aria-hidden>
        {pieces.map(({ kind, text: piece }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no names
          <span key={at} data-kind={kind}>
            {piece}
          </span>
        ))}
        {/* A last line that is empty has its height, too. */}
        {'\n'}
      </div>
      <Textarea
        classNames={{ root: classes.root, wrapper: classes.wrapper, input: classes.input }}
        spellCheck={false}
        onScroll={({ currentTarget }) => layer.current?.scrollTo({ top: currentTarget.scrollTop })}
        {...field}
      />
    </div>
  )
}
