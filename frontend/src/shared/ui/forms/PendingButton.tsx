import { Button, type ButtonProps } from '@mantine/core'

type Props = Omit<ButtonProps, 'loading' | 'disabled'> & { pending: boolean; onClick: () => void }

/**
 * A button that keeps the focus while its action is pending, and ignores clicks then. Mantine's loading button is disabled,
 * which would lose the focus.
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
