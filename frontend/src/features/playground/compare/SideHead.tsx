import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { modelsQuery } from '@/features/agents'
import { VersionSelect } from '@/features/versions'
import classes from './compare.module.css'
import type { Side } from './useSide'

/** Who answers on one side, with which model, and at what price. */
export function SideHead({ agentId, side, busy }: { agentId: string; side: Side; busy: boolean }) {
  const { t } = useTranslation('playground')
  const models = useQuery(modelsQuery).data?.models ?? []
  const { name, own, choose } = side
  const { version, chosen, model } = side.answering
  const words = { side: t(`compare.${name}`) }
  const data = models
    .toSorted((a, b) => Number(a.sandbox) - Number(b.sandbox))
    .map((one) => ({
      value: one.name,
      label: one.sandbox ? t('compare.sandbox', { model: one.label }) : one.label,
      disabled: !one.available,
    }))
  // Until they are loaded, or when there is no such model.
  if (chosen !== undefined && !data.some(({ value }) => value === chosen))
    data.push({ value: chosen, label: chosen, disabled: true })
  const ownLabel = own ? t('compare.ownModel', { model: own.label }) : t('compare.noOwnModel')
  return (
    <div className={classes.head} data-side={name}>
      <VersionSelect
        agentId={agentId}
        aria-label={t('compare.answering', words)}
        none={t('draft')}
        value={version === undefined ? '' : String(version)}
        onChange={(value) => choose('version', value ? Number(value) : undefined)}
        disabled={busy}
        size="xs"
        w={128}
        comboboxProps={{ width: 280, position: 'bottom-start' }}
      />
      <Select
        aria-label={t('compare.model', words)}
        data={[{ value: '', label: ownLabel, disabled: false }, ...data]}
        value={chosen ?? ''}
        onChange={(value) => choose('model', value || undefined)}
        disabled={busy}
        size="xs"
        w={200}
        comboboxProps={{ width: 280, position: 'bottom-start' }}
      />
      <Text size="sm" c="dimmed" className="panel-user-text">
        {model && t('price', { count: model.creditsPerMessage })}
      </Text>
    </div>
  )
}
