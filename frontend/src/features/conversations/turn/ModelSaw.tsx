import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
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
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (open) section.current?.focus({ preventScroll: true })
  }, [open])
  return (
    <div className={classes.saw}>
      <div className={classes.bar}>
        {before}
        <Button
          size="compact-xs"
          variant="subtle"
          fw={400}
          px={4}
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        >
          {t('saw.title')}
        </Button>
        {children}
      </div>
      {open && (
        <section ref={section} id={id} aria-label={t('saw.title')} tabIndex={-1} className={classes.box}>
          <Saw turnId={turnId} section={section} />
        </section>
      )}
    </div>
  )
}

function Saw({ turnId, section }: { turnId: string; section: RefObject<HTMLElement | null> }) {
  const query = useQuery(promptQuery(turnId))
  const { isPending } = query
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it has its height
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [section, isPending])
  return <QueryView query={query}>{({ node }) => node.__typename === 'Turn' && <Parts turn={node} />}</QueryView>
}

function Parts({ turn }: { turn: Turn }) {
  const { t } = useTranslation('texts')
  const { prompt, passages, message, actionResults, version, source, inputTokens, outputTokens } = turn
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
      <ol className={classes.parts}>
        <li>
          <Instructions text={prompt.instructions} />
        </li>
        <li>
          <Heading title={t('saw.earlier', { count: prompt.earlierTurns })} />
        </li>
        {passages.length > 0 && (
          <li>
            <GivenPassages passages={passages} />
          </li>
        )}
        {prompt.chain.map(({ id, message, reply, actionCalls, actionResults: results }) => (
          <li key={id}>
            {results.length > 0 ? (
              <ActionResults results={results} />
            ) : (
              <Said title={t('saw.message')} text={message} />
            )}
            {reply && <Said title={t('saw.reply')} text={reply} />}
            <ActionCalls calls={actionCalls} />
          </li>
        ))}
        <li>
          {actionResults.length > 0 ? (
            <ActionResults results={actionResults} />
          ) : (
            <Said title={t('saw.message')} text={message} />
          )}
        </li>
        {prompt.actions > 0 && (
          <li>
            <Heading title={t('saw.actions', { count: prompt.actions })} />
          </li>
        )}
      </ol>
      <p className={`${classes.facts} panel-numbers`}>
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

/** The title of a part and, if it has a text, its length. */
function Heading({ title, text }: { title: string; text?: string }) {
  const { t } = useTranslation('texts')
  const count = text === undefined ? 0 : [...text].length
  return (
    <h4 className={classes.heading}>
      {title}
      {text !== undefined && (
        <span className="panel-numbers">{t('saw.characters', { count, amount: formatNumber(count) })}</span>
      )}
    </h4>
  )
}

/** A message, or a reply of the chain that the results continue. */
function Said({ title, text }: { title: string; text: string }) {
  return (
    <>
      <Heading title={title} text={text} />
      <LongText text={text} most={400}>
        {(shown) => <PlainText text={shown} />}
      </LongText>
    </>
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
      <Heading title={t('saw.instructions')} text={text} />
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
