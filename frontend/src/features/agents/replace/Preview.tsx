import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChangedText } from '@/features/versions'
import type { Candidate } from './queries'
import classes from './Replace.module.css'

/** An agent whose draft has the text, and why it cannot be replaced there. */
export type Match = Candidate & { matches: number; after: string; skip: string | undefined }

type Props = {
  matches: Match[]
  /** The agents that are left as they are. */
  skipped: ReadonlySet<string>
  setSkipped: (skipped: ReadonlySet<string>) => void
  disabled: boolean
}

/** The drafts with matches: which change, and how. */
export function Preview({ matches, skipped, setSkipped, disabled }: Props) {
  return (
    <ul className={`${classes.list} panel-list`}>
      {matches.map((match) => (
        <li key={match.id}>
          <Row
            match={match}
            disabled={disabled}
            checked={!match.skip && !skipped.has(match.id)}
            onChange={(checked) => {
              const next = new Set(skipped)
              if (checked) next.delete(match.id)
              else next.add(match.id)
              setSkipped(next)
            }}
          />
        </li>
      ))}
    </ul>
  )
}

type RowProps = { match: Match; disabled: boolean; checked: boolean; onChange: (checked: boolean) => void }

function Row({ match: { name, instructions, after, matches, skip }, disabled, checked, onChange }: RowProps) {
  const { t } = useTranslation('agents')
  const [opened, setOpened] = useState(false)
  return (
    <Stack gap={0} py={4}>
      <Checkbox
        label={<span className="panel-user-text">{name}</span>}
        checked={checked}
        disabled={disabled || skip !== undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {skip && (
        <Text size="sm" c="var(--warn)" className={classes.under}>
          {skip}
        </Text>
      )}
      <details className={classes.under} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
        <summary className="panel-summary">{t('replace.matches', { count: matches })}</summary>
        {opened && <ChangedText label={name} before={instructions} after={after} />}
      </details>
    </Stack>
  )
}
