import { Button, Group, SegmentedControl, Text, Textarea } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { isTooLong } from '@/shared/ui'
import { ActionCall } from './ActionCall'
import { maxError, maxResult, problemOf } from './actions'
import classes from './actions.module.css'
import type { Call, Result } from './texts'

type Typed = { failed: boolean; result: string; error: string }
const untouched: Typed = { failed: false, result: '', error: '' }

type Props = {
  calls: readonly Call[]
  /** Whether results can be sent now. If not, the form keeps them. */
  ready: boolean
  onSend: (results: Result[]) => void
}

/** A form with a result, as JSON, or an error for each open action. It sends all of them at once. */
export function ResultsForm({ calls, ready, onSend }: Props) {
  const { t } = useTranslation('results')
  const [typed, setTyped] = useState<Record<string, Typed>>({})
  const [tried, setTried] = useState(false)
  const of = (id: string) => typed[id] ?? untouched
  const problem = (id: string) => {
    const { failed, result, error } = of(id)
    if (failed) return error === '' ? t('noError') : isTooLong(error, maxError) && t('tooLong', { limit: maxError })
    const wrong = problemOf(result)
    return wrong === 'json' ? t('noJson') : wrong && t('tooLarge', { limit: formatNumber(maxResult) })
  }
  /** The action's name, numbered if the reply requests it more than once. */
  const titleOf = ({ id, name }: Call) => {
    const same = calls.filter((call) => call.name === name)
    return same.length > 1 ? t('numbered', { name, number: same.findIndex((call) => call.id === id) + 1 }) : name
  }
  const submit = (form: HTMLFormElement) => {
    const wrong = calls.find(({ id }) => problem(id))
    setTried(true)
    if (wrong) return form.querySelector<HTMLElement>(`[name="${wrong.id}"]`)?.focus()
    if (!ready) return
    onSend(
      calls.map(({ id, name }) => {
        const { failed, result, error } = of(id)
        return failed ? { callId: id, name, error } : { callId: id, name, result }
      }),
    )
  }
  return (
    <form
      aria-label={t('form')}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      {calls.map((call) => {
        const { id } = call
        const name = titleOf(call)
        const { failed, result, error } = of(id)
        const set = (change: Partial<Typed>) => setTyped((old) => ({ ...old, [id]: { ...of(id), ...change } }))
        return (
          <fieldset key={id} aria-label={name} className={classes.field}>
            <ActionCall call={call} title={name} state="OPEN" />
            <SegmentedControl
              size="xs"
              className={classes.outcome}
              aria-label={t('outcome', { name })}
              data={[
                { value: 'returned', label: t('returned') },
                { value: 'failed', label: t('failed') },
              ]}
              value={failed ? 'failed' : 'returned'}
              onChange={(value) => set({ failed: value === 'failed' })}
            />
            <Textarea
              name={id}
              aria-label={t(failed ? 'errorOf' : 'resultOf', { name })}
              placeholder={t(failed ? 'errorPlaceholder' : 'resultPlaceholder')}
              classNames={failed ? undefined : { input: classes.json }}
              spellCheck={failed}
              value={failed ? error : result}
              error={tried && problem(id)}
              onChange={(event) =>
                set(failed ? { error: event.currentTarget.value } : { result: event.currentTarget.value })
              }
              autosize
              minRows={2}
              maxRows={8}
            />
          </fieldset>
        )
      })}
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {t('closes')}
        </Text>
        <Button type="submit" size="xs" ml="auto" disabled={!ready} leftSection={<IconSend size={14} aria-hidden />}>
          {t('send', { count: calls.length })}
        </Button>
      </Group>
    </form>
  )
}
