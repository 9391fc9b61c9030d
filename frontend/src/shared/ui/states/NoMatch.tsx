import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { EmptyState } from './states'

type Props = { title: string; text?: string; onClear?: () => void }

/** Shown if a list has nothing that its filters let through. */
export function NoMatch({ title, text, onClear }: Props) {
  const { t } = useTranslation('lists')
  const clear = onClear && (
    <Button variant="default" onClick={onClear}>
      {t('clear')}
    </Button>
  )
  return <EmptyState title={title} text={text} action={clear} />
}
