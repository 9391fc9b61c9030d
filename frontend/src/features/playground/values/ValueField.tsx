import { Anchor, Text, Textarea } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Variable } from '@/features/versions'
import { isTooLong } from '@/shared/ui'
import { maxValue } from './useValues'
import classes from './Values.module.css'

type Props = {
  variable: Variable
  /** Undefined until something was typed: the default value is used. */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** The value of a variable. An emptied field is sent empty instead of the default value, unless that is taken back. */
export function ValueField({ variable: { name, description, required, defaultValue }, value, onChange }: Props) {
  const { t } = useTranslation('playground')
  const field = useRef<HTMLTextAreaElement>(null)
  const tooLong = isTooLong(value ?? '', maxValue)
  const takeBack = () => {
    onChange(undefined)
    field.current?.focus() // the button disappears, and the focus with it
  }
  return (
    <div>
      <Textarea
        ref={field}
        label={name}
        description={description || undefined}
        title={description || undefined}
        size="xs"
        classNames={{ root: classes.value, description: classes.description }}
        labelProps={{ title: name }}
        placeholder={required ? undefined : value === undefined && defaultValue ? defaultValue : t('emptyValue')}
        required={required}
        error={tooLong && t('form.tooLong', { ns: 'common', count: maxValue })}
        autosize
        minRows={1}
        maxRows={4}
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {value === '' && !required && defaultValue && (
        <Text size="xs" mt={4}>
          {t('sentEmpty')}{' '}
          <Anchor component="button" type="button" inherit underline="always" onClick={takeBack}>
            {t('useDefault', { name })}
          </Anchor>
        </Text>
      )}
    </div>
  )
}
