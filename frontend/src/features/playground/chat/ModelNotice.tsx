import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AppLink } from '@/shared/ui'
import type { Answering } from './useAnswering'

/** Says that there is no model to answer, or that it is unavailable, and what to do. */
export function ModelNotice({ agentId, answering }: { agentId: string; answering: Answering }) {
  const { t } = useTranslation('playground')
  const { version, chosen, model, loading, unknown } = answering
  if (model?.available || loading) return null
  if (chosen !== undefined && !unknown) {
    return (
      <Alert color="yellow" role="status" title={t('modelAway', { model: model?.label ?? chosen })}>
        {t('modelAwayText')}
      </Alert>
    )
  }
  if (version !== undefined) {
    const gone = unknown ? 'noVersion' : 'modelGone'
    const title = model ? t('modelAway', { model: model.label }) : t(gone, { number: version })
    return (
      <Alert color="yellow" role="status" title={title}>
        {t('modelGoneText')}
      </Alert>
    )
  }
  return (
    <Alert color="yellow" role="status" title={model ? t('modelAway', { model: model.label }) : t('noModel')}>
      {model && `${t('modelAwayText')} `}
      <AppLink to="/agents/$id" params={{ id: agentId }} search={{ node: 'model' }} inherit underline="always">
        {t(model ? 'chooseModel' : 'noModelText')}
      </AppLink>
    </Alert>
  )
}
