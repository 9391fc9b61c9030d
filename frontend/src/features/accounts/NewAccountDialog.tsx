import { useTranslation } from 'react-i18next'
import { Dialog, DialogForm } from '@/shared/ui'
import { NewAccountName, useNewAccount } from './NewAccountForm'

/** Opens one more account. */
export default function NewAccountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('members')
  const api = useNewAccount()
  return (
    <Dialog onClose={() => !api.pending && onClose()} title={t('account.new')}>
      <DialogForm api={api} submitLabel={t('account.create')} onCancel={onClose}>
        <NewAccountName api={api} />
      </DialogForm>
    </Dialog>
  )
}
