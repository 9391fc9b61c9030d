import { Button, type ButtonProps } from '@mantine/core'
import { type ChangeEvent, type Ref, useRef } from 'react'

type Props = ButtonProps & {
  ref?: Ref<HTMLButtonElement>
  /** The endings that are taken. */
  accept: string
  multiple?: boolean
  onChoose: (files: File[]) => void
}

/** A button with which files are chosen. */
export function FileButton({ accept, multiple, onChoose, ...button }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = Array.from(currentTarget.files ?? [])
    currentTarget.value = '' // or choosing the same file again would change nothing
    if (files.length > 0) onChoose(files)
  }
  return (
    <>
      <input ref={field} type="file" hidden accept={accept} multiple={multiple} onChange={choose} />
      <Button size="xs" variant="default" {...button} onClick={() => field.current?.click()} />
    </>
  )
}
