import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink, Missing, QueryView } from '@/shared/ui'

/** Shows a query of an agent. For an agent that does not exist, it leads back to the list. */
export function AgentQueryView<Data>(props: ComponentProps<typeof QueryView<Data>>) {
  const { t } = useTranslation('agents')
  const back = (
    <ButtonLink to="/agents" variant="default">
      {t('notFound.all')}
    </ButtonLink>
  )
  return <QueryView missing={<Missing title={t('notFound.title')} back={back} />} {...props} />
}
