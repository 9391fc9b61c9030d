import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { VersionSelect } from '@/features/versions'

const route = getRouteApi('/_app/agents/$id/playground')

/** The choice of what answers: the draft, or a version. It is kept in the URL. */
export function AnsweringSelect({ agentId, version }: { agentId: string; version?: number }) {
  const { t } = useTranslation('playground')
  const navigate = route.useNavigate()
  return (
    <VersionSelect
      agentId={agentId}
      aria-label={t('answering')}
      none={t('draft')}
      value={version === undefined ? '' : String(version)}
      onChange={(value) =>
        void navigate({
          search: (old) => ({ ...old, version: value ? Number(value) : undefined }),
          replace: true,
          resetScroll: false,
        })
      }
      size="xs"
      w={128}
      comboboxProps={{ width: 280, position: 'bottom-start' }}
    />
  )
}
