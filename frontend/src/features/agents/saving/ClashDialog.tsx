import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { actionsText, ChangedText, useVariableText } from '@/features/versions'
import { formatClock } from '@/shared/time'
import { CopyButton, Dialog } from '@/shared/ui'
import { actionsInput } from '../actions/actionValues'
import classes from './ClashDialog.module.css'
import type { Choices, Clash, Side } from './merge'
import type { SaverView } from './saver'
import { useFieldText } from './useFieldText'

type Props = {
  clash: NonNullable<SaverView<Record<string, unknown>>['clash']>
  onChoose: (choices: Choices) => void
  onClose: () => void
}

/** Shows conflicting changes, made here and elsewhere, with a choice for each. Nothing is saved before that. */
export function ClashDialog({ clash: { merged, agent }, onChoose, onClose }: Props) {
  const { t } = useTranslation('agents')
  const { labelOf } = useFieldText()
  const [choices, setChoices] = useState<Choices>({})
  const all = (side: Side) => Object.fromEntries(merged.clashes.map(({ id }) => [id, side]))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onChoose(choices)
  }
  const mine = merged.clashes.flatMap((one) => (one.kind === 'lines' ? [one.mine] : []))
  return (
    <Dialog onClose={onClose} size={720} title={t('clash.title', { name: agent.name })} onKeyDown={onKeyDown}>
      <Stack gap="md">
        <Text>{t('clash.text', { count: merged.clashes.length, time: formatClock(agent.updatedAt) })}</Text>
        {merged.clashes.map((one, at) => (
          <ClashView
            key={one.id}
            clash={one}
            number={at + 1}
            side={choices[one.id] ?? 'mine'}
            onChoose={(side) => setChoices({ ...choices, [one.id]: side })}
          />
        ))}
        {merged.fitting.length > 0 && (
          <Text size="sm" c="dimmed">
            {t('clash.fitting', { count: merged.fitting.length })}{' '}
            {merged.fitting.map(({ field, side }) => t(`clash.of.${side}`, { field: labelOf(field) })).join(', ')}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          {mine.length > 0 && <CopyButton value={mine.join('\n\n')} label={t('clash.copy')} />}
          <Button variant="default" onClick={() => onChoose(all('theirs'))}>
            {t('clash.takeTheirs')}
          </Button>
          <Button onClick={() => onChoose(choices)}>{t('clash.save')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

type ClashProps = { clash: Clash; number: number; side: Side; onChoose: (side: Side) => void }

function ClashView({ clash, number, side, onChoose }: ClashProps) {
  const { t } = useTranslation('agents')
  const { labelOf } = useFieldText()
  const [theirs, mine] = useTexts(clash)
  const place = t(`clash.${clash.kind}`, {
    field: labelOf(clash.field),
    line: clash.kind === 'lines' ? clash.line : undefined,
    name: clash.kind === 'row' ? clash.name : undefined,
  })
  const title = `${number}. ${place}`
  const sides: Side[] = clash.kind === 'lines' ? ['theirs', 'mine', 'both'] : ['theirs', 'mine']
  return (
    <section className={classes.clash} aria-label={title}>
      <div className={classes.head}>
        <Text size="sm" fw={600} className="panel-user-text">
          {title}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t('clash.choice', { place })}
          data={sides.map((value) => ({ value, label: t(`clash.side.${value}`) }))}
          value={side}
          onChange={onChoose}
        />
      </div>
      <ChangedText
        before={theirs}
        after={mine}
        label={place}
        names={{ removed: t('clash.side.theirs'), added: t('clash.side.mine') }}
      />
    </section>
  )
}

/** Their version and mine of a conflicting part, as text. */
function useTexts(clash: Clash): [string, string] {
  const { t } = useTranslation('agents')
  const { textOf } = useFieldText()
  const variableText = useVariableText()
  if (clash.kind === 'lines') return [clash.theirs, clash.mine]
  if (clash.kind === 'value') return [textOf(clash.field, clash.theirs), textOf(clash.field, clash.mine)]
  const words = (row: typeof clash.mine) => {
    if (!row) return t('clash.gone')
    return 'parameters' in row ? actionsText({ actions: actionsInput([row]) }) : variableText(row)
  }
  return [words(clash.theirs), words(clash.mine)]
}
