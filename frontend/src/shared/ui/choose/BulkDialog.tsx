import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { i18n } from '@/shared/i18n'
import { Dialog } from '../dialogs/Dialog'
import { notifyDone } from '../dialogs/notify'
import { errorText } from '../states/errorText'
import { inLanes } from './inLanes'

type Row = { id: string; name: string }

type Props<One extends Row> = {
  title: string
  /** Shown until the rows are known. */
  loading?: ReactNode
  /** The chosen rows. */
  rows: readonly One[]
  /** Why a row would be left out; undefined for one that changes. */
  leftOut: (row: One) => string | undefined
  /** What will happen to so many. */
  says: (count: number) => ReactNode
  /** The verb with the number: "Pause 58 exports". */
  submitLabel: (count: number) => string
  /** What became of so many: "58 paused". */
  done: (count: number) => string
  /** Changes one row. */
  change: (row: One) => Promise<unknown>
  /** Whether the fields allow it. They show what is wrong. */
  check?: () => boolean
  /** Whether something is lost or stops. */
  danger?: boolean
  /** Called after some rows have changed; `all` is whether none failed. */
  onChanged: (all: boolean) => void
  onClose: () => void
  /** What else has to be said, as fields of a form. */
  children?: ReactNode
}

/** Says how many rows would change and which would not, changes them, a few at a time, and says which did not and why. */
export function BulkDialog<One extends Row>({ title, loading, rows, onClose, onChanged, ...props }: Props<One>) {
  const { t } = useTranslation()
  const [ended, setEnded] = useState(0)
  const [result, setResult] = useState<{ changed: number; failed: Reason[] }>()
  const [asked, setAsked] = useState<readonly One[]>()
  // Whether the fields were wrong at the last click: nothing will change then.
  const [wrong, setWrong] = useState(false)
  // The rows at the time of the click: the list refetches while the dialog is open.
  const chosen = asked ?? rows
  const reasons = byReason(chosen.map((row) => [props.leftOut(row), row.name]))
  const changing = chosen.filter((row) => props.leftOut(row) === undefined)
  const bulk = useMutation({
    mutationFn: async () => {
      const ends = await inLanes(changing, (row) => props.change(row).finally(() => setEnded((before) => before + 1)))
      const failed = byReason(
        ends.map((end, at) => [
          end.status === 'rejected' ? errorText(end.reason) : undefined,
          changing[at]?.name ?? '',
        ]),
      )
      const changed = ends.filter(({ status }) => status === 'fulfilled').length
      onChanged(failed.length === 0)
      if (failed.length > 0) return setResult({ changed, failed: [...failed, ...reasons] })
      void notifyDone(outcome(props.done(changed), reasons))
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!(props.check?.() ?? true)) return setWrong(true)
    setAsked(rows)
    bulk.mutate()
  }
  return (
    <Dialog onClose={() => !bulk.isPending && onClose()} title={title} size={520}>
      {loading ??
        (result ? (
          <Stack gap="md">
            <Text role="alert">{outcome(props.done(result.changed), result.failed)}</Text>
            <Reasons reasons={result.failed} />
            <Group justify="flex-end">
              <Button onClick={onClose} data-autofocus>
                {t('close')}
              </Button>
            </Group>
          </Stack>
        ) : (
          <form onSubmit={submit} onChange={() => setWrong(false)} noValidate>
            <Stack gap="md">
              {props.children}
              <Text role="status">{!wrong && props.says(changing.length)}</Text>
              {reasons.length > 0 && (
                <div>
                  <Text size="sm" fw={500}>
                    {t('choose.leftOut', { count: count(reasons) })}
                  </Text>
                  <Reasons reasons={reasons} />
                </div>
              )}
              <Group justify="flex-end" gap="xs">
                {bulk.isPending && (
                  <Text size="sm" c="dimmed" role="status" mr="auto">
                    {t('choose.progress', { ended, count: changing.length })}
                  </Text>
                )}
                <Button
                  variant="default"
                  onClick={onClose}
                  disabled={bulk.isPending}
                  data-autofocus={props.danger || undefined}
                >
                  {t('cancel')}
                </Button>
                <Button
                  type="submit"
                  color={props.danger ? 'red' : undefined}
                  disabled={changing.length === 0}
                  loading={bulk.isPending}
                >
                  {props.submitLabel(changing.length)}
                </Button>
              </Group>
            </Stack>
          </form>
        ))}
    </Dialog>
  )
}

type Reason = { why: string; names: string[] }

function byReason(rows: [why: string | undefined, name: string][]): Reason[] {
  const reasons = new Map<string, string[]>()
  for (const [why, name] of rows) if (why !== undefined) reasons.set(why, [...(reasons.get(why) ?? []), name])
  return [...reasons].map(([why, names]) => ({ why, names }))
}

const count = (reasons: Reason[]) => reasons.reduce((sum, { names }) => sum + names.length, 0)

/** "58 paused", or "58 paused, 2 not: they are paused already". */
function outcome(done: string, reasons: Reason[]) {
  if (reasons.length === 0) return done
  return i18n.t('choose.outcome', { done, count: count(reasons), why: reasons.map(({ why }) => why).join('; ') })
}

const mostNamed = 5

function Reasons({ reasons }: { reasons: Reason[] }) {
  const { t } = useTranslation()
  return reasons.map(({ why, names }) => (
    <Text key={why} size="sm" c="dimmed" className="panel-user-text">
      {names.slice(0, mostNamed).join(', ')}
      {names.length > mostNamed && ` ${t('choose.more', { count: names.length - mostNamed })}`} ({why})
    </Text>
  ))
}
