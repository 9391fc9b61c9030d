import { Anchor, Text, VisuallyHidden } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import classes from './Diff.module.css'
import { type Block, fold, type Line, lineDiff } from './lines'

/** How many lines are drawn at first, and with each further click. */
const linesAtOnce = 400

const signs = { same: '', added: '+', removed: '−' }

/** Labels of removed and added lines, shown instead of signs and line numbers. */
type Names = { removed: string; added: string }

type Props = {
  /** Before the numbers of changed lines; without it, these are not said. */
  title?: string
  label: string
  before: string
  after: string
  names?: Names
}

/** How a text changes, line by line. */
export function ChangedText({ title, label, before, after, names }: Props) {
  const { t } = useTranslation('versions')
  const [most, setMost] = useState(linesAtOnce)
  const lines = useMemo(() => lineDiff(before, after), [before, after])
  const blocks = useMemo(() => fold(lines.slice(0, most)), [lines, most])
  const count = (kind: Line['kind']) => lines.filter((line) => line.kind === kind).length
  const added = count('added')
  const removed = count('removed')
  return (
    <div>
      {title && (
        <Text size="sm" c="dimmed" mb={4}>
          {title}: {t('linesAdded', { count: added, amount: formatNumber(added) })},{' '}
          {t('linesRemoved', { count: removed, amount: formatNumber(removed) })}
        </Text>
      )}
      <ol className={classes.lines} aria-label={label} data-named={names !== undefined || undefined}>
        {blocks.map((block) => (
          <BlockView key={`${block.lines[0]?.kind} ${block.lines[0]?.number}`} block={block} names={names} />
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

function BlockView({ block, names }: { block: Block; names: Names | undefined }) {
  const { t } = useTranslation('versions')
  const [open, setOpen] = useState(!block.folded)
  if (open) return block.lines.map((line) => <LineView key={`${line.kind} ${line.number}`} line={line} names={names} />)
  return (
    <li className={classes.fold}>
      <Anchor component="button" type="button" size="sm" onClick={() => setOpen(true)}>
        {t('equalLines', { count: block.lines.length, amount: formatNumber(block.lines.length) })}
      </Anchor>
    </li>
  )
}

function LineView({ line: { kind, number, pieces }, names }: { line: Line; names: Names | undefined }) {
  const { t } = useTranslation('versions')
  let at = 0
  return (
    <li className={`${classes.line} ${kind === 'same' ? '' : classes[kind]}`}>
      {!names && (
        <span className={`${classes.number} panel-numbers`} aria-hidden>
          {number}
        </span>
      )}
      <span className={classes.sign} aria-hidden>
        {names && kind !== 'same' ? names[kind] : signs[kind]}
      </span>
      <span className={`${classes.text} panel-user-text`}>
        {kind !== 'same' && <VisuallyHidden>{names ? `${names[kind]}:` : t(kind)} </VisuallyHidden>}
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
