import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { VersionSelect } from '@/features/versions'

/** The choice of what answers: the draft, or a version. It is kept in the URL. */
export function AnsweringSelect({ agentId, version }: { agentId: string; version?: number }) {
  const { t } = useTranslation('playground')
  const navigate = useNavigate()
  return (
    <VersionSelect
      agentId={agentId}
      aria-label={t('answering')}
      none={t('draft')}
      value={version === undefined ? '' : String(version)}
      onChange={(value) =>
        void navigate({
          to: '.',
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
