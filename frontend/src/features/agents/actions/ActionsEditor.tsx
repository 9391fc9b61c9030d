import { Button, Input, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AgentValues } from '../agentValues'
import { isInBlankRow } from '../formRows'
import { ActionFold } from './ActionFold'
import { actionsSchema, maxActions, newAction } from './actionValues'

/** The actions of an agent, each folded to a line that opens its fields. */
export function ActionsEditor({ form }: { form: UseFormReturnType<AgentValues> }) {
  const { t } = useTranslation('actions')
  const { actions } = form.values
  const [open, setOpen] = useState<number[]>([])
  const [added, setAdded] = useState(0)
  const addButton = useRef<HTMLButtonElement>(null)
  const issues = actionsSchema.safeParse(actions).error?.issues ?? []
  const invalid = issues.filter(({ path }) => !isInBlankRow(actions, path)).map(({ path }) => path[0])
  const full = actions.length >= maxActions
  // Once the new one is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when one is added
  useEffect(() => {
    if (added > 0) form.getInputNode(`actions.${actions.length - 1}.name`)?.focus()
  }, [added])

  const add = () => {
    form.insertListItem('actions', newAction())
    setOpen([...open, actions.length])
    setAdded(added + 1)
  }
  const remove = (at: number) => {
    form.removeListItem('actions', at)
    setOpen(open.filter((one) => one !== at).map((one) => (one > at ? one - 1 : one)))
    addButton.current?.focus() // the pressed button disappears
  }
  const toggle = (at: number, opened: boolean) =>
    setOpen((old) => (opened ? [...new Set([...old, at])] : old.filter((one) => one !== at)))
  return (
    <Stack gap="xs" component="section" aria-label={t('title')}>
      <Input.Description>{t('help')}</Input.Description>
      {actions.map((action, at) => (
        <ActionFold
          // biome-ignore lint/suspicious/noArrayIndexKey: an action has nothing else that stays while its name is typed
          key={at}
          form={form}
          at={at}
          action={action}
          invalid={invalid.includes(at)}
          open={open.includes(at)}
          onToggle={(opened) => toggle(at, opened)}
          onRemove={() => remove(at)}
        />
      ))}
      {form.errors.actions && <Input.Error role="alert">{form.errors.actions}</Input.Error>}
      <Button
        ref={addButton}
        variant="default"
        size="xs"
        w="fit-content"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={full}
        onClick={add}
      >
        {t('add')}
      </Button>
      {full && <Input.Description>{t('most', { count: maxActions })}</Input.Description>}
    </Stack>
  )
}
