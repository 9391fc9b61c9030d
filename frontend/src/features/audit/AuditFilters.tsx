import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { membersQuery } from '@/features/members'
import { compareNames } from '@/shared/format'
import { ChoiceFilter, DatesFilter, FilterBar } from '@/shared/ui'
import { useAuditSearch } from './useAuditSearch'
import { choices, useWords } from './useWords'

/** Action, person and days, all kept in the address. */
export function AuditFilters() {
  const { search, others, change, clear } = useAuditSearch()
  const { action, actor, from, to } = search
  return (
    <FilterBar
      first={<ActionFilter value={action} onChange={(next) => change({ action: next })} />}
      count={others}
      onClear={action || others > 0 ? clear : undefined}
    >
      <PersonFilter value={actor} onChange={(next) => change({ actor: next })} />
      <DatesFilter value={{ from, to }} onChange={change} />
    </FilterBar>
  )
}

type Props = { value: string | undefined; onChange: (value: string | undefined) => void }

function ActionFilter({ value, onChange }: Props) {
  const { t } = useTranslation('audit')
  const { wordsOf } = useWords()
  const known = value && !choices.includes(value) ? [...choices, value] : choices
  const compare = compareNames()
  const data = known
    .map((action) => ({ value: action, label: wordsOf(action) }))
    .toSorted((a, b) => compare(a.label, b.label))
  return (
    <ChoiceFilter
      label={t('action')}
      data={[{ value: '', label: t('allActions') }, ...data]}
      value={value}
      onChange={onChange}
      searchable
      nothingFoundMessage={t('noSuchAction')}
    />
  )
}

function PersonFilter({ value, onChange }: Props) {
  const { t } = useTranslation('audit')
  const loaded = useQuery(membersQuery).data?.viewer.members
  const people = (loaded ?? []).map(({ userId, email }) => ({ value: userId, label: email }))
  // The person of the address may have left, or not be loaded yet.
  if (value && people.every((one) => one.value !== value)) {
    people.push({ value, label: loaded ? t('somebodyElse') : '…' })
  }
  return (
    <ChoiceFilter
      label={t('person')}
      data={[{ value: '', label: t('everybody') }, ...people]}
      value={value}
      onChange={onChange}
    />
  )
}
