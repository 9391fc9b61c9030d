import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ShouldBlockFn, useBlocker, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'

/** The blocked navigation. */
type Way = Pick<Parameters<ShouldBlockFn>[0], 'action' | 'next'>

type Props = {
  title: string
  text: string
  /** What the buttons say: the one that keeps the secret on show, and the one that gives it up. */
  keep: string
  lose: string
  onStay: () => void
  onLeave: () => void
}

/**
 * Blocks every way out while a secret is shown for the only time: closing the drawer (by Escape, a click outside or its button,
 * which all navigate), Back, another page, closing the tab. It asks inline, not in a dialog on top of a drawer, whether the secret may
 * be lost.
 *
 * Each attempt is rejected immediately and repeated when the reader leaves. If it waited for the answer, Back would already have changed
 * the URL, and a second Back would leave the panel.
 */
export function LossGuard({ title, text, keep, lose, onStay, onLeave }: Props) {
  const router = useRouter()
  const [way, setWay] = useState<Way>()
  const shouldBlockFn = useCallback(({ action, next }: Way) => {
    setWay({ action, next })
    return true
  }, [])
  useBlocker({ shouldBlockFn, enableBeforeUnload: true })

  const leave = ({ action, next }: Way) => {
    setWay(undefined)
    if (action === 'BACK') return router.history.back({ ignoreBlocker: true })
    if (action === 'FORWARD') return router.history.forward({ ignoreBlocker: true })
    const replace = action === 'REPLACE'
    void router.navigate({ to: next.pathname as '/', search: next.search as never, replace, ignoreBlocker: true })
  }
  if (!way) return null
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alertdialog" aria-label={title} title={title}>
      <Stack gap="xs">
        <Text size="md">{text}</Text>
        <Group gap="xs">
          <Stay
            label={keep}
            onClick={() => {
              setWay(undefined)
              onStay()
            }}
          />
          <Button
            color="red"
            onClick={() => {
              leave(way)
              onLeave()
            }}
          >
            {lose}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

/** The button that has the focus when the question comes up. */
function Stay({ label, onClick }: { label: string; onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    button.current?.focus()
    button.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <Button variant="default" onClick={onClick} ref={button}>
      {label}
    </Button>
  )
}
