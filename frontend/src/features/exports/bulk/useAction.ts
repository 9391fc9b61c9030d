import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { refreshExports } from '../queries'

/** The actions on several exports. */
export const actions = ['pause', 'resume', 'expiry', 'limit'] as const
export type Action = (typeof actions)[number]

/** The texts of an action, and the refresh after it. */
export function useAction(action: Action) {
  const { t } = useTranslation('exports')
  const queryClient = useQueryClient()
  return {
    title: t(`bulk.${action}.title`),
    says: (count: number) => t(`bulk.${action}.says`, { count }),
    submitLabel: (count: number) => t(`bulk.${action}.submit`, { count }),
    done: (count: number) => t(`bulk.${action}.done`, { count }),
    onChanged: () => refreshExports(queryClient),
  }
}
