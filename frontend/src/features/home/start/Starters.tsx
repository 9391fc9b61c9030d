import { Button, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconCalendar, IconHelp, IconLifebuoy } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Model, modelsQuery } from '@/features/agents'
import { useViewer } from '@/features/auth'
import { gql } from '@/shared/gql'
import { FormError, notifyDone } from '@/shared/ui'
import { CreateStarterDocument } from '../queries'

const starters = [
  { kind: 'support', Icon: IconLifebuoy },
  { kind: 'faq', Icon: IconHelp },
  { kind: 'booking', Icon: IconCalendar },
] as const

/** How many messages the account's credits pay for at least with the model of a template. */
const firstMessages = 10

/**
 * The model of a template agent: the best real one, which is the dearest that the credits last a while for, or else the cheapest. The
 * sandbox only makes up replies, and is taken if there is nothing else.
 */
export function starterModel(models: Model[], credits: number): string | undefined {
  const offered = models.filter(({ available }) => available)
  const real = offered.filter(({ sandbox }) => !sandbox).sort((a, b) => b.creditsPerMessage - a.creditsPerMessage)
  const best = real.find(({ creditsPerMessage }) => creditsPerMessage * firstMessages <= credits) ?? real.at(-1)
  return (best ?? offered[0])?.name
}

/** Agent templates: one click creates an agent and opens it. */
export function Starters() {
  const { t } = useTranslation('home')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const models = useQuery(modelsQuery)
  const viewer = useViewer()
  const create = useMutation({
    mutationFn: async (kind: (typeof starters)[number]['kind']) => {
      const { createAgent } = await gql(CreateStarterDocument, {
        input: {
          name: t(`starter.${kind}.name`),
          description: t(`starter.${kind}.description`),
          instructions: t(`starter.${kind}.instructions`),
          model: models.data && starterModel(models.data.models, viewer.data?.viewer.creditsAvailable ?? 0),
        },
      })
      void queryClient.invalidateQueries({ queryKey: ['agents'], refetchType: 'none' })
      void queryClient.invalidateQueries({ queryKey: ['home'], refetchType: 'none' })
      void notifyDone(t('starterCreated', { name: createAgent.agent.name }))
      await navigate({ to: '/agents/$id', params: { id: createAgent.agent.id } })
    },
  })
  const pending = create.isPending ? create.variables : undefined

  return (
    <Stack component="section" gap="sm" aria-labelledby="starters">
      <div>
        <Title order={2} id="starters">
          {t('starters')}
        </Title>
        <Text c="dimmed">{t('startersText')}</Text>
      </div>
      <FormError error={create.error} onClose={create.reset} />
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        {starters.map(({ kind, Icon }) => (
          <Paper key={kind} p="md">
            <Stack gap="xs" h="100%" align="flex-start">
              <Icon size={24} stroke={1.4} aria-hidden />
              <Title order={3}>{t(`starter.${kind}.name`)}</Title>
              <Text size="sm" c="dimmed" flex={1}>
                {t(`starter.${kind}.description`)}
              </Text>
              <Button
                variant="default"
                loading={pending === kind}
                disabled={models.isPending || viewer.isPending || (pending !== undefined && pending !== kind)}
                onClick={() => create.mutate(kind)}
                aria-label={t('starterCreate', { name: t(`starter.${kind}.name`) })}
              >
                {t('starterButton')}
              </Button>
            </Stack>
          </Paper>
        ))}
      </SimpleGrid>
    </Stack>
  )
}
