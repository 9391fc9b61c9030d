import { Badge, Group, Paper, Radio, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { priceOf } from '@/features/versions'
import { formatNumber } from '@/shared/format'
import { Credits, EmptyState, QueryView } from '@/shared/ui'
import { knows } from '../knowledge/knows'
import { type Agent, type Model, modelsQuery } from '../queries'
import type { BuildSection, SectionProps } from './buildSection'
import { ModelOptions } from './ModelOptions'

/** The agent's model, its fallback model, and how they answer. */
export const modelSection: BuildSection = {
  id: 'model',
  fields: ['model', 'fallbackModel', 'temperature', 'maxOutputTokens', 'contextTurns'],
  isEmpty: ({ model }) => model === '',
  State: Chosen,
  Editor,
}

type Priced = Pick<Model, 'name' | 'label' | 'creditsPerMessage' | 'creditsWithKnowledge' | 'available'>

/** A model with its price for the agent. */
function useModelText(agent: Agent) {
  const { t } = useTranslation('agents')
  return (model: Priced) =>
    t(model.available ? 'modelOption' : 'modelGone', { label: model.label, count: priceOf(model, knows(agent)) })
}

/** The chosen model and its price, and its fallback. */
function Chosen({ agent, form: { values } }: SectionProps) {
  const { t } = useTranslation('agents')
  const textOf = useModelText(agent)
  const models = useQuery(modelsQuery).data?.models ?? []
  const known: Priced[] = [...models, ...[agent.model, agent.fallbackModel].filter((model) => model != null)]
  const [chosen, fallback] = [values.model, values.fallbackModel].map((name) => known.find((one) => one.name === name))
  const text = chosen ? textOf(chosen) : t('noModel')
  return fallback ? t('withFallback', { model: text, fallback: fallback.label }) : text
}

function Editor({ agent, form }: SectionProps) {
  const { t } = useTranslation('agents')
  const query = useQuery(modelsQuery)
  // The agent's own model stays listed, even if it is no longer available.
  const offered = ({ name, available }: Model) => available || name === agent.model?.name
  return (
    <Stack gap="md">
      <QueryView query={query}>
        {({ models }) =>
          models.length === 0 ? (
            <EmptyState title={t('noModels')} />
          ) : (
            <Stack gap="md">
              <Radio.Group aria-label={t('modelChoice')} {...form.getInputProps('model')}>
                <Stack gap="xs">
                  {models.filter(offered).map((model) => (
                    <Choice key={model.name} model={model} />
                  ))}
                  <Unavailable models={models.filter((model) => !offered(model))} />
                </Stack>
              </Radio.Group>
              <Fallback models={models} agent={agent} form={form} />
            </Stack>
          )
        }
      </QueryView>
      <ModelOptions form={form} />
    </Stack>
  )
}

/** Selects the model that answers when the chosen one cannot. */
function Fallback({ models, agent, form }: SectionProps & { models: Model[] }) {
  const { t } = useTranslation('agents')
  const textOf = useModelText(agent)
  const { model, fallbackModel } = form.values
  // The current fallback stays listed, even if it is no longer allowed.
  const offered = models.filter(({ name, available }) => name === fallbackModel || (available && name !== model))
  const kept = agent.fallbackModel
  const all: Priced[] = kept && !models.some(({ name }) => name === kept.name) ? [...offered, kept] : offered
  return (
    <Select
      label={t('fallbackModel')}
      description={t('fallbackModelHelp')}
      data={[
        { value: '', label: t('noFallbackModel') },
        ...all.map((one) => ({ value: one.name, label: textOf(one) })),
      ]}
      allowDeselect={false}
      maw={480}
      {...form.getInputProps('fallbackModel')}
    />
  )
}

/** The models that cannot be chosen, folded: the service may list many without an API key. */
function Unavailable({ models }: { models: Model[] }) {
  const { t } = useTranslation('agents')
  if (models.length === 0) return null
  return (
    <details>
      <summary className="panel-summary">{t('unavailableModels', { count: models.length })}</summary>
      <Stack gap="xs" mt="xs">
        {models.map((model) => (
          <Choice key={model.name} model={model} />
        ))}
      </Stack>
    </details>
  )
}

function Choice({ model }: { model: Model }) {
  const { t } = useTranslation('agents')
  return (
    <Paper p="sm">
      <Radio
        value={model.name}
        disabled={!model.available}
        label={
          <Group component="span" gap="xs">
            <Text span inherit fw={500}>
              {model.label}
            </Text>
            {model.sandbox && (
              <Badge component="span" color="yellow">
                {t('sandbox')}
              </Badge>
            )}
          </Group>
        }
        description={
          <Text span inherit c="dimmed" className="panel-user-text">
            <Credits value={model.creditsPerMessage} /> {t('perMessage')}
            {model.creditsWithKnowledge != null && ` (${t('withKnowledge', { count: model.creditsWithKnowledge })})`} ·{' '}
            {model.provider} ·{' '}
            {t('contextWindow', { count: model.contextWindow, tokens: formatNumber(model.contextWindow) })}
            {model.sandbox && <Line>{t('sandboxText')}</Line>}
            {!model.available && <Line>{t('modelUnavailable', { provider: model.provider })}</Line>}
          </Text>
        }
        styles={{ body: { alignItems: 'flex-start' }, labelWrapper: { minWidth: 0 } }}
      />
    </Paper>
  )
}

function Line({ children }: { children: string }) {
  return <span style={{ display: 'block' }}>{children}</span>
}
