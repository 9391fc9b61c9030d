import { ActionIcon, Button, Checkbox, Group, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type CheckValues, limits } from '../document'
import type { CaseFormApi } from './api'

type Props = { form: CaseFormApi; path: string; check: CheckValues; actions: string[] }

/** The fields for a check’s type. */
export function CheckFields({ form, path, check, actions }: Props) {
  const { t } = useTranslation('tests')
  const list = useId()
  const props = (field: keyof CheckValues) => form.getInputProps(`${path}.${field}`)
  const code = { spellCheck: false, autoCapitalize: 'none' } as const
  const long = { autosize: true, minRows: 1, maxRows: 8 } as const
  switch (check.type) {
    case 'contains':
      return <Texts form={form} path={path} check={check} />
    case 'equals':
      return (
        <Textarea
          label={t('equalsText')}
          {...long}
          {...form.getInputProps(`${path}.text.0`)}
          error={props('text').error}
        />
      )
    case 'regex':
      return <TextInput label={t('pattern')} description={t('patternHelp')} {...code} {...props('pattern')} />
    case 'json_equals':
      return (
        <>
          <TextInput label={t('path')} description={t('pathHelp')} {...code} {...props('path')} />
          <Textarea label={t('jsonValue')} {...code} {...long} {...props('value')} />
        </>
      )
    case 'action':
      return (
        <>
          <TextInput label={t('actionName')} list={list} {...code} {...props('name')} />
          <datalist id={list}>
            {actions.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <Textarea
            label={t('arguments')}
            description={t('argumentsHelp')}
            {...code}
            {...long}
            {...props('arguments')}
          />
        </>
      )
    case 'cites':
      return <TextInput label={t('source')} description={t('sourceHelp')} {...props('source')} />
    case 'max_ms':
      return <TextInput label={t('most')} inputMode="numeric" maw={200} {...props('most')} />
    case 'judge':
      return <Textarea label={t('criterion')} description={t('criterionHelp')} {...long} {...props('criterion')} />
  }
}

/** Alternative texts, one of which the reply must have. */
function Texts({ form, path, check: { text } }: Omit<Props, 'actions'>) {
  const { t } = useTranslation('tests')
  const { error } = form.getInputProps(`${path}.text`)
  return (
    <>
      {text.map((_, at) => {
        const label = at === 0 ? t('text') : t('textOr', { number: at + 1 })
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a text has nothing else that stays while it is typed
          <Group key={at} gap="xs" align="flex-end" wrap="nowrap">
            <Textarea
              label={label}
              autosize
              minRows={1}
              maxRows={8}
              style={{ flex: 1, minWidth: 0 }}
              {...form.getInputProps(`${path}.text.${at}`)}
              error={at === text.length - 1 ? error : undefined}
            />
            {text.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('remove', { name: label })}
                onClick={() => form.removeListItem(`${path}.text`, at)}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        )
      })}
      <Group gap="md">
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={text.length >= limits.texts}
          onClick={() => form.insertListItem(`${path}.text`, '')}
        >
          {t('addText')}
        </Button>
        <Checkbox label={t('exact')} {...form.getInputProps(`${path}.exact`, { type: 'checkbox' })} />
      </Group>
    </>
  )
}
