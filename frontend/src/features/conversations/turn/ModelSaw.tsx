import { Button, Text } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TurnPromptQuery } from '@/gql/graphql'
import { formatNumber } from '@/shared/format'
import { LongText, PlainText } from '@/shared/markdown'
import { CopyButton, QueryView } from '@/shared/ui'
import { ActionCalls } from './ActionCalls'
import { ActionResults } from './ActionResults'
import { GivenPassages } from './GivenPassages'
import classes from './ModelSaw.module.css'
import { promptQuery } from './queries'

type Turn = Extract<TurnPromptQuery['node'], { __typename: 'Turn' }>
type Props = {
  turnId: string
  /** Shown before and after the button. */
  before?: ReactNode
  children?: ReactNode
}

/** What the model was given for a reply. It is read when it is opened. */
export function ModelSaw({ turnId, before, children }: Props) {
  const { t } = useTranslation('texts')
  const id = useId()
  const [open, setOpen] = useState(false)
  return (
    <div className={classes.saw}>
      <div className={classes.bar}>
        {before}
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconEye size={14} aria-hidden />}
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        >
          {t('saw.title')}
        </Button>
        {children}
      </div>
      {open && (
        <section id={id} aria-label={t('saw.title')} className={classes.box}>
          <Saw turnId={turnId} />
        </section>
      )}
    </div>
  )
}

function Saw({ turnId }: { turnId: string }) {
  const query = useQuery(promptQuery(turnId))
  return <QueryView query={query}>{({ node }) => node.__typename === 'Turn' && <Parts turn={node} />}</QueryView>
}

function Parts({ turn }: { turn: Turn }) {
  const { t } = useTranslation('texts')
  const { prompt, passages, actionResults, version, source, inputTokens, outputTokens } = turn
  const draft = version == null && source === 'PLAYGROUND'
  if (!prompt)
    return (
      <>
        <Text size="sm">{draft ? t('saw.draftGone') : t('saw.unknown')}</Text>
        <GivenPassages passages={passages} />
      </>
    )
  return (
    <>
      <Instructions text={prompt.instructions} />
      <GivenPassages passages={passages} />
      {prompt.chain.map(({ id, message, reply, actionCalls, actionResults: results }) => (
        <div key={id} className={classes.step}>
          {results.length > 0 ? <ActionResults results={results} /> : <Said title={t('saw.message')} text={message} />}
          {reply && <Said title={t('saw.reply')} text={reply} />}
          <ActionCalls calls={actionCalls} />
        </div>
      ))}
      {prompt.chain.length > 0 && <ActionResults results={actionResults} />}
      <p className={`${classes.facts} panel-numbers`}>
        <span>{t('saw.earlier', { count: prompt.earlierTurns })}</span>
        {prompt.actions > 0 && <span>{t('saw.actions', { count: prompt.actions })}</span>}
        {inputTokens != null && <span>{t('saw.read', { count: inputTokens, amount: formatNumber(inputTokens) })}</span>}
        {outputTokens != null && (
          <span>{t('saw.wrote', { count: outputTokens, amount: formatNumber(outputTokens) })}</span>
        )}
        <span>{draft ? t('saw.draft') : t('saw.version', { number: version })}</span>
        <span className="panel-user-text">{prompt.model}</span>
      </p>
    </>
  )
}

/** A message or a reply of the chain that the results continue. */
function Said({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h3 className={classes.heading}>{title}</h3>
      <LongText text={text} most={400}>
        {(shown) => <PlainText text={shown} />}
      </LongText>
    </div>
  )
}

/** Two lines of the instructions, or all of them. */
function Instructions({ text }: { text: string }) {
  const { t } = useTranslation('texts')
  const id = useId()
  const [whole, setWhole] = useState(false)
  const folds = text.length > 160 || text.split('\n', 3).length > 2
  return (
    <>
      <h3 className={classes.heading}>{t('saw.instructions')}</h3>
      <div id={id} className={folds && !whole ? classes.folded : undefined}>
        <PlainText text={text} />
      </div>
      <div className={classes.bar}>
        {folds && (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={whole}
            aria-controls={id}
            onClick={() => setWhole(!whole)}
          >
            {whole ? t('saw.fold') : t('saw.whole')}
          </Button>
        )}
        <CopyButton size="compact-xs" variant="subtle" color="gray" value={text} label={t('saw.copy')} />
      </div>
    </>
  )
}
