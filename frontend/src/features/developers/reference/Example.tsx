import { Code, Group, Text, Title } from '@mantine/core'
import { useRef } from 'react'
import { CopyButton } from '@/shared/ui'
import classes from './ApiDocs.module.css'

/** A titled code example with a copy button. */
export function Example({ title, text, code }: { title: string; text?: string; code: string }) {
  const shown = useRef<HTMLElement>(null)
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Title order={3}>{title}</Title>
        <CopyButton value={code} shown={shown} size="compact-xs" />
      </Group>
      {text && (
        <Text size="sm" c="dimmed" mb={4}>
          {text}
        </Text>
      )}
      <Code ref={shown} block tabIndex={0} role="region" aria-label={title} className={classes.example}>
        {code}
      </Code>
    </div>
  )
}
