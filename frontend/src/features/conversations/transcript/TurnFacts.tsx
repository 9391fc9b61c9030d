import { Code } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type FragmentType, graphql, readFragment } from '@/gql'
import { formatDuration, formatNumber } from '@/shared/format'
import { AppLink, CopyButton } from '@/shared/ui'
import classes from '../Conversations.module.css'

const TurnFactsFragment = graphql(`
  fragment TurnFacts on Turn {
    number
    requestId
    request {
      id
    }
    model
    inputTokens
    outputTokens
    waitedMs
    firstTextMs
  }
`)

/** The model, tokens, times and request ID of a turn. */
export function TurnFacts(props: { turn: FragmentType<typeof TurnFactsFragment> }) {
  const turn = readFragment(TurnFactsFragment, props.turn)
  const { t } = useTranslation('conversations')
  return (
    <dl className={`${classes.facts} panel-numbers`}>
      <Fact name={t('model')}>
        <span className="panel-user-text">{turn.model}</span>
      </Fact>
      {(turn.inputTokens != null || turn.outputTokens != null) && (
        <Fact name={t('tokens')}>
          {t('tokensText', { input: amount(turn.inputTokens), output: amount(turn.outputTokens) })}
        </Fact>
      )}
      {turn.waitedMs != null && <Fact name={t('waited')}>{formatDuration(turn.waitedMs)}</Fact>}
      {turn.firstTextMs != null && <Fact name={t('firstText')}>{formatDuration(turn.firstTextMs)}</Fact>}
      <Fact name={t('requestId')}>
        {turn.request ? (
          <AppLink
            to="/activity/requests"
            search={{ id: turn.request.id }}
            inherit
            ff="monospace"
            translate="no"
            className="panel-user-text"
          >
            {turn.requestId}
          </AppLink>
        ) : (
          <Code className="panel-user-text">{turn.requestId}</Code>
        )}
        <CopyButton iconOnly value={turn.requestId} label={t('copyRequestId', { number: formatNumber(turn.number) })} />
      </Fact>
    </dl>
  )
}

const amount = (tokens: number | null | undefined) => (tokens == null ? '–' : formatNumber(tokens))

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
