import { Anchor, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { changedSettings } from './content'
import classes from './Diff.module.css'
import { type Block, fold, type Line, lineDiff } from './lines'
import type { Content, Setting } from './queries'
import { useSettingText } from './useSettingText'
import { useVariableText } from './useVariableText'

/** How many lines are drawn at first, and with each further click. */
const linesAtOnce = 400

type Props = { before: Content; after: Content }

/** What changes from one content of an agent to another: the instructions line by line, the variables, then the settings. */
export function DiffView({ before, after }: Props) {
  const { t } = useTranslation('versions')
  const changed = changedSettings(before, after)
  const lineOf = useVariableText()
  const listed = ({ variables }: Content) => variables.map(lineOf).join('\n')
  const texts = [
    { title: t('instructions'), label: t('instructionsDiff'), before: before.instructions, after: after.instructions },
    { title: t('variables'), label: t('variablesDiff'), before: listed(before), after: listed(after) },
  ].filter((text) => text.before !== text.after)
  if (texts.length === 0 && changed.length === 0) return <Text c="dimmed">{t('noDifference')}</Text>
  return (
    <Stack gap="sm">
      {texts.map((text) => (
        <Lines key={text.title} {...text} />
      ))}
      {changed.length > 0 && <Settings before={before} after={after} changed={changed} />}
    </Stack>
  )
}

const signs = { same: '', added: '+', removed: '−' }

type LinesProps = { title: string; label: string; before: string; after: string }

/** How a text changes, line by line. */
function Lines({ title, label, before, after }: LinesProps) {
  const { t } = useTranslation('versions')
  const [most, setMost] = useState(linesAtOnce)
  const lines = useMemo(() => lineDiff(before, after), [before, after])
  const blocks = useMemo(() => fold(lines.slice(0, most)), [lines, most])
  const count = (kind: Line['kind']) => lines.filter((line) => line.kind === kind).length
  const added = count('added')
  const removed = count('removed')
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {title}: {t('linesAdded', { count: added, amount: formatNumber(added) })},{' '}
        {t('linesRemoved', { count: removed, amount: formatNumber(removed) })}
      </Text>
      <ol className={classes.lines} aria-label={label}>
        {blocks.map((block) => (
          <BlockView key={`${block.lines[0]?.kind} ${block.lines[0]?.number}`} block={block} />
        ))}
      </ol>
      {lines.length > most && (
        <Anchor component="button" type="button" size="sm" mt={4} onClick={() => setMost(most + linesAtOnce)}>
          {t('moreLines', { count: lines.length - most, amount: formatNumber(lines.length - most) })}
        </Anchor>
      )}
    </div>
  )
}

function BlockView({ block }: { block: Block }) {
  const { t } = useTranslation('versions')
  const [open, setOpen] = useState(!block.folded)
  if (open) return block.lines.map((line) => <LineView key={`${line.kind} ${line.number}`} line={line} />)
  return (
    <li className={classes.fold}>
      <Anchor component="button" type="button" size="sm" onClick={() => setOpen(true)}>
        {t('equalLines', { count: block.lines.length, amount: formatNumber(block.lines.length) })}
      </Anchor>
    </li>
  )
}

function LineView({ line: { kind, number, pieces } }: { line: Line }) {
  const { t } = useTranslation('versions')
  let at = 0
  return (
    <li className={`${classes.line} ${kind === 'same' ? '' : classes[kind]}`}>
      <span className={`${classes.number} panel-numbers`} aria-hidden>
        {number}
      </span>
      <span className={classes.sign} aria-hidden>
        {signs[kind]}
      </span>
      <span className={`${classes.text} panel-user-text`}>
        {kind !== 'same' && <VisuallyHidden>{t(kind)} </VisuallyHidden>}
        {pieces.map(({ text, changed }) => {
          at += text.length
          return (
            <span key={at} className={changed ? classes.changed : undefined}>
              {text}
            </span>
          )
        })}
      </span>
    </li>
  )
}

function Settings({ before, after, changed }: Props & { changed: Setting[] }) {
  const { t } = useTranslation('versions')
  const textOf = useSettingText()
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {t('settings')}
      </Text>
      <dl className="panel-facts panel-numbers" style={{ font: 'var(--t13)' }}>
        {changed.map((setting) => (
          <div key={setting} style={{ display: 'contents' }}>
            <dt>{t(`setting.${setting}`)}</dt>
            <dd>
              <VisuallyHidden>{t('from')} </VisuallyHidden>
              <del className={classes.before}>{textOf(before, setting)}</del> <span aria-hidden>→</span>
              <VisuallyHidden> {t('to')}</VisuallyHidden> <ins className={classes.after}>{textOf(after, setting)}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
