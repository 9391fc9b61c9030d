import { ActionIcon, Badge, Text, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { memo, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CitedSources, ModelSaw, RatingButtons, RatingMarks, useRating } from '@/features/conversations'
import { CutOff } from '@/shared/markdown'
import { AppLink } from '@/shared/ui'
import type { SentTurn } from '../queries'
import { Bubble } from './Bubble'
import { ComparedFigures, Figures } from './Figures'
import { ReplyMenu } from './ReplyMenu'

type Props = {
  turn: SentTurn
  /** Whether it stands in a comparison, and the reply of the other side. */
  compared?: boolean
  other?: SentTurn
  /** Asks the same again. */
  onAgain?: () => void
}

/** A reply, and one line with its figures and what can be done with it. */
export function Reply({ turn, compared = false, other, onAgain }: Props) {
  const { t } = useTranslation('playground')
  const [raw, setRaw] = useState(false)
  const rating = useRating(turn)
  return (
    <div>
      <ReplyText turn={turn} raw={raw} />
      <ModelSaw
        turnId={turn.id}
        before={compared ? <ComparedFigures turn={turn} other={other} /> : <Figures turn={turn} />}
      >
        <RatingButtons rating={rating} />
        {onAgain && (
          <Tooltip label={t('askAgain')}>
            <ActionIcon size={24} variant="subtle" color="gray" aria-label={t('askAgain')} onClick={onAgain}>
              <IconRefresh size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        <ReplyMenu turn={turn} raw={raw} onRaw={() => setRaw(!raw)} />
      </ModelSaw>
      <RatingMarks rating={rating} />
    </div>
  )
}

/** Memoized: parsing Markdown is slow, and other messages change state. */
const ReplyText = memo(function ReplyText({ turn, raw }: { turn: SentTurn; raw: boolean }) {
  const { t } = useTranslation('playground')
  const { sources } = turn
  const cite = useCallback(
    (number: number) => {
      const { name, source } = sources.find(({ n }) => n === number) ?? {}
      if (!source) return undefined
      return (
        <AppLink to="." search={(old) => ({ ...old, knowledge: source.id })} resetScroll={false} inherit title={name}>
          [{number}]
        </AppLink>
      )
    },
    [sources],
  )
  return (
    <>
      {(turn.reply !== '' || turn.actionCalls.length === 0) && (
        <Bubble
          text={turn.reply ?? ''}
          raw={raw}
          json={turn.output != null}
          cite={sources.length > 0 ? cite : undefined}
        />
      )}
      {turn.output != null && (
        <Text size="xs" c="var(--ok)" mt={4}>
          {t('fits')}
        </Text>
      )}
      {turn.finishReason === 'stopped' && (
        <Badge variant="light" color="gray" mt={4} mr={8}>
          {t('stoppedMark')}
        </Badge>
      )}
      <CutOff finishReason={turn.finishReason} size="xs" />
      <CitedSources sources={sources} />
    </>
  )
})
