import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Steps as Buttons } from '@/shared/ui'
import { neighbours } from '../stepping'

/** Buttons and keys for the previous and the next conversation of the list that led here; `text` is the list's search. */
export function Steps({ id, text }: { id: string; text?: string }) {
  const { t } = useTranslation('conversations')
  const navigate = useNavigate()
  const { previous, next } = neighbours(id)
  const go = (to?: string) =>
    to && (() => void navigate({ to: '/activity/conversations/$id', params: { id: to }, search: { text } }))
  const to = { previous: go(previous) || undefined, next: go(next) || undefined }
  return <Buttons go={to} names={{ previous: t('previous'), next: t('next') }} />
}
