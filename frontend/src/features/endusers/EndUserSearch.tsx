import { Group } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { TypedFilter } from '@/shared/ui'

const route = getRouteApi('/_app/agents/$id/end-users')

/** Part of the id, kept in the URL. */
export function EndUserSearch() {
  const { t } = useTranslation('endusers')
  const { search } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Group role="search">
      <TypedFilter
        label={t('userId')}
        placeholder={t('userIdPart')}
        value={search}
        apply={(typed, replace) => void navigate({ search: { search: typed }, replace })}
        isListSearch
      />
    </Group>
  )
}
