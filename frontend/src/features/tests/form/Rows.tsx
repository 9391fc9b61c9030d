import { ActionIcon, Button, Group, Input, Paper, Stack, Title } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseValues } from '../document'
import type { CaseFormApi } from './api'

type List = { [Field in keyof CaseValues]: CaseValues[Field] extends unknown[] ? Field : never }[keyof CaseValues]

type Props<Field extends List> = {
  form: CaseFormApi
  field: Field
  title: string
  help?: string
  addLabel: string
  /** The most rows. */
  most: number
  /** A new row, and its field that gets the focus. */
  blank: () => CaseValues[Field][number]
  first: string
  nameOf: (at: number) => string
  children: (row: CaseValues[Field][number], path: string, name: string) => ReactNode
}

/** A list of form rows, each with a remove button. */
export function Rows<Field extends List>({ form, field, title, help, addLabel, most, ...row }: Props<Field>) {
  const { t } = useTranslation('tests')
  const rows = form.values[field] as CaseValues[Field][number][]
  const addButton = useRef<HTMLButtonElement>(null)
  const [added, setAdded] = useState(0)
  // After the new row is rendered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when one is added
  useEffect(() => {
    if (added > 0) form.getInputNode(`${field}.${rows.length - 1}.${row.first}`)?.focus()
  }, [added])
  const remove = (at: number) => {
    form.removeListItem(field, at)
    // Keep the focus: the pressed button may disappear with the last row.
    if (at === rows.length - 1) addButton.current?.focus()
  }
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <div>
        <Title order={3}>{title}</Title>
        {help && <Input.Description>{help}</Input.Description>}
      </div>
      {rows.map((values, at) => {
        const name = row.nameOf(at)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has nothing else that stays while it is typed
          <Paper key={at} p="xs" component="fieldset" m={0} miw={0} aria-label={name}>
            <Group gap="sm" align="flex-start" wrap="nowrap">
              <Stack gap="xs" style={{ flex: 1, minWidth: 0 }}>
                {row.children(values, `${field}.${at}`, name)}
              </Stack>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('remove', { name })}
                onClick={() => remove(at)}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          </Paper>
        )
      })}
      <Button
        ref={addButton}
        variant="default"
        size="xs"
        w="fit-content"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={rows.length >= most}
        onClick={() => {
          form.insertListItem(field, row.blank() as never)
          setAdded(added + 1)
        }}
      >
        {addLabel}
      </Button>
      {rows.length >= most && <Input.Description>{t('mostRows', { count: most })}</Input.Description>}
    </Stack>
  )
}
