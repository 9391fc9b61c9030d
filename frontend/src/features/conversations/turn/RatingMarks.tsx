import { Button, Group, Text, Textarea } from '@mantine/core'
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { PlainText } from '@/shared/markdown'
import { isTooLong, PendingButton } from '@/shared/ui'
import classes from './rating.module.css'
import { maxNote, type RatedTurn, type Rating } from './ratings'

/** Who rated a reply and why, and a form for the team's note. Renders nothing without ratings. */
export function RatingMarks({ rating }: { rating: Rating }) {
  const { t } = useTranslation('texts')
  const may = useMay('EDITOR')
  const { ratings, team, isError } = rating
  if (ratings.length === 0 && !isError) return null
  return (
    <div className={classes.ratings}>
      {ratings.map((one) => (
        <Mark key={one.kind} rating={one} />
      ))}
      {isError && (
        <Text size="sm" c="var(--bad)" role="alert">
          {t('rating.failed')}
        </Text>
      )}
      {may && team && <Note key={team.value} value={team.value} note={team.note} rating={rating} />}
    </div>
  )
}

function Mark({ rating: { kind, value, note, ratedBy } }: { rating: RatedTurn['ratings'][number] }) {
  const { t } = useTranslation('texts')
  const Icon = value === 'UP' ? IconThumbUp : IconThumbDown
  const by = value === 'UP' ? 'rating.goodBy' : 'rating.badBy'
  return (
    <div className={classes.mark}>
      <Icon size={14} aria-hidden />
      <div>
        <span className="panel-user-text">
          {kind === 'CALLER' ? t(`${by}User`) : ratedBy ? t(by, { name: ratedBy.name }) : t(`${by}Team`)}
        </span>
        {note && <PlainText text={note} />}
      </div>
    </div>
  )
}

type NoteProps = { value: 'UP' | 'DOWN'; note: string; rating: Rating }

/** Moves the focus to an element when it appears. */
const focus = (part: HTMLElement | null) => part?.focus()

/** The form for the team's note, opened by a button. */
function Note({ value, note, rating: { rate, isPending } }: NoteProps) {
  const { t } = useTranslation('texts')
  const [typed, setTyped] = useState<string>()
  const [closed, setClosed] = useState(false)
  if (typed === undefined) {
    return (
      <Button
        ref={closed ? focus : undefined}
        size="compact-xs"
        variant="subtle"
        className={classes.add}
        onClick={() => setTyped(note)}
      >
        {t(note ? 'rating.editNote' : 'rating.addNote')}
      </Button>
    )
  }
  const tooLong = isTooLong(typed, maxNote)
  const close = () => {
    setTyped(undefined)
    setClosed(true)
  }
  const save = async () => {
    if (!tooLong && (await rate({ value, note: typed }))) close()
  }
  return (
    <div className={classes.note}>
      <Textarea
        ref={focus}
        aria-label={t('rating.note')}
        value={typed}
        error={tooLong && t('form.tooLong', { ns: 'common', count: maxNote })}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autosize
        minRows={2}
        maxRows={8}
      />
      <Group gap="xs">
        <PendingButton size="xs" pending={isPending} onClick={() => void save()}>
          {t('save', { ns: 'common' })}
        </PendingButton>
        <Button size="xs" variant="default" onClick={close}>
          {t('cancel', { ns: 'common' })}
        </Button>
      </Group>
    </div>
  )
}
