import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '@/shared/gql'
import { ButtonLink, EmptyState, QueryView } from '@/shared/ui'

/** Shows a query of an agent. For an agent that does not exist, it leads back to the list. */
export function AgentQueryView<Data>(props: ComponentProps<typeof QueryView<Data>>) {
  const { t } = useTranslation('agents')
  const { isLoadingError, error } = props.query
  if (!isLoadingError || !hasCode(error, 'NOT_FOUND')) return <QueryView {...props} />
  return (
    <EmptyState
      title={t('notFound.title')}
      text={t('notFound.text')}
      action={
        <ButtonLink to="/agents" variant="default">
          {t('notFound.all')}
        </ButtonLink>
      }
    />
  )
}
