import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { limits } from '../document'
import type { CaseFormApi } from './api'
import { Rows } from './Rows'

/** The earlier turns of the conversation. */
export function HistoryFields({ form }: { form: CaseFormApi }) {
  const { t } = useTranslation('tests')
  return (
    <Rows
      form={form}
      field="history"
      title={t('history')}
      help={t('historyHelp')}
      addLabel={t('addTurn')}
      most={limits.history}
      blank={() => ({ message: '', reply: '' })}
      first="message"
      nameOf={(at) => t('turn', { number: at + 1 })}
    >
      {(_, path) => (
        <>
          <Textarea label={t('userSays')} autosize minRows={1} maxRows={8} {...form.getInputProps(`${path}.message`)} />
          <Textarea label={t('agentSays')} autosize minRows={1} maxRows={8} {...form.getInputProps(`${path}.reply`)} />
        </>
      )}
    </Rows>
  )
}
