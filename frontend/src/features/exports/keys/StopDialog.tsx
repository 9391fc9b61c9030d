import { Paper, Radio } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { i18n } from '@/shared/i18n'
import { dateOf, dayMs, formatMinute, hourMs, serverNow, useNow } from '@/shared/time'
import { Dialog, DialogForm, useApiForm } from '@/shared/ui'
import classes from '../page/Export.module.css'
import { MomentField } from '../settings/MomentField'

const spans = { hour: hourMs, day: dayMs, week: 7 * dayMs } as const
const longestMs = 30 * dayMs

const choices = ['hour', 'day', 'week', 'time', 'now'] as const
type Choice = (typeof choices)[number]

const schema = z.object({ choice: z.enum(choices), time: z.string() }).check(
  z.refine(({ choice, time }) => choice !== 'time' || isInReach(Date.parse(time)), {
    path: ['time'],
    error: () => i18n.t('exports:stopRange'),
  }),
)

const isInReach = (moment: number) => moment > serverNow() && moment <= serverNow() + longestMs

/** The chosen moment; null for at once. */
function momentOf({ choice, time }: { choice: Choice; time: string }): string | null {
  if (choice === 'now') return null
  return new Date(choice === 'time' ? time : serverNow() + spans[choice]).toISOString()
}

type Props = {
  title: string
  text: ReactNode
  /** The question over the choices. */
  label: string
  submitLabel: string
  /** Whether the key may stop at once. */
  withNow?: boolean
  submit: (stopsAt: string | null) => Promise<unknown>
  onClose: () => void
}

/** Asks when a key is to stop. Stays open until that is done, and shows its error. */
export function StopDialog({ title, text, label, submitLabel, withNow, submit, onClose }: Props) {
  const { t } = useTranslation('exports')
  const api = useApiForm<{ choice: Choice; time: string }>({
    initialValues: { choice: 'week', time: '' },
    schema,
    submit: async (values) => {
      await submit(momentOf(values))
      onClose()
    },
  })
  const { form } = api
  const { choice } = form.values
  return (
    <Dialog onClose={() => !api.pending && onClose()} size={520} title={title}>
      <DialogForm api={api} submitLabel={submitLabel} danger={choice === 'now'} onCancel={onClose}>
        {text}
        <Radio.Group label={label} {...form.getInputProps('choice')}>
          <Paper className={`panel-list ${classes.choices}`} mt="xs">
            {choices.map((one) =>
              one === 'now' && !withNow ? null : (
                <Fragment key={one}>
                  <Radio
                    value={one}
                    classNames={{ root: classes.choice, labelWrapper: classes.words }}
                    aria-label={t(`stop.${one}`)}
                    label={t(`stop.${one}`)}
                    description={<Help choice={one} />}
                    data-autofocus={one === 'week' || undefined}
                  />
                  {one === 'time' && choice === 'time' && (
                    <div className={classes.time}>
                      <MomentField
                        label={t('stopTime')}
                        description={t('stopTimeHelp')}
                        min={dateOf(serverNow())}
                        max={dateOf(serverNow() + longestMs)}
                        key={form.key('time')}
                        {...form.getInputProps('time')}
                      />
                    </div>
                  )}
                </Fragment>
              ),
            )}
          </Paper>
        </Radio.Group>
      </DialogForm>
    </Dialog>
  )
}

/** What a choice is for, and when the key would stop. */
function Help({ choice }: { choice: Choice }) {
  const { t } = useTranslation('exports')
  const now = useNow()
  const span = choice === 'now' || choice === 'time' ? undefined : spans[choice]
  return (
    <span className={classes.help}>
      <span>{t(`stopHelp.${choice}`)}</span>
      {span && <span className="panel-numbers">{formatMinute(now + span)}</span>}
    </span>
  )
}
