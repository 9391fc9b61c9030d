import { Button, type ButtonProps } from '@mantine/core'

type Props = Omit<ButtonProps, 'loading' | 'disabled'> & { pending: boolean; onClick: () => void }

/**
 * A button that keeps the focus while what it began is under way, and does nothing then. The kit's loading button is
 * disabled meanwhile, which takes the focus away.
 */
export function PendingButton({ pending, onClick, ...button }: Props) {
  return (
    <Button
      {...button}
      loading={pending}
      onClick={() => {
        if (!pending) onClick()
      }}
      renderRoot={(root) => (
        <button {...root} type="button" disabled={false} aria-disabled={pending || undefined} aria-busy={pending} />
      )}
    />
  )
}
