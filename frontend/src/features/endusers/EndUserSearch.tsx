import { Group, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useTypedFilter } from '@/shared/ui'

const route = getRouteApi('/_app/agents/$id/end-users')
const longestId = 255

/** Part of the id, kept in the URL. */
export function EndUserSearch() {
  const { t } = useTranslation('endusers')
  const { search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const field = useTypedFilter(search, (typed, replace) => void navigate({ search: { search: typed }, replace }))
  return (
    <Group role="search">
      <TextInput
        label={t('userId')}
        placeholder={t('userIdPart')}
        type="search"
        maxLength={longestId}
        leftSection={<IconSearch size={16} aria-hidden />}
        {...field}
        style={{ flex: '1 1 200px', maxWidth: 320 }}
      />
    </Group>
  )
}
