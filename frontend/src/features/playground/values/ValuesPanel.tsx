import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Variable } from '@/features/versions'
import { isTooLong } from '@/shared/ui'
import { maxUserId, type Values } from './useValues'
import { ValueField } from './ValueField'
import classes from './Values.module.css'

type Props = {
  id: string
  variables: Variable[]
  values: Values
  /** Whether there is a conversation, or a message that may begin it: it stays with its end user. */
  begun: boolean
}

/** The values of variables, and the end user, that go with each message: one in a line. */
export function ValuesPanel({ id, variables, values, begun }: Props) {
  const { t } = useTranslation('playground')
  const { userId, setUserId } = values
  return (
    <section id={id} aria-label={t('values')} className={classes.values}>
      {variables.map((variable) => (
        <ValueField
          key={variable.name}
          variable={variable}
          value={values.typed(variable.name)}
          onChange={(value) => values.setValue(variable.name, value)}
        />
      ))}
      <TextInput
        size="xs"
        classNames={{ root: classes.value, description: classes.description }}
        label={t('endUser')}
        description={t(begun ? 'endUserFixed' : 'endUserHelp')}
        title={t(begun ? 'endUserFixed' : 'endUserHelp')}
        readOnly={begun}
        error={isTooLong(userId, maxUserId) && t('form.tooLong', { ns: 'common', count: maxUserId })}
        value={userId}
        onChange={(event) => setUserId(event.currentTarget.value)}
      />
    </section>
  )
}
