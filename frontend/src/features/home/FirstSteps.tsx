import { Group, List, Paper, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '@/shared/ui'
import type { HomeAgent, Steps } from './queries'

/** The steps to a first answered request, each ticked when done. */
export function FirstSteps({ steps, newest }: { steps: Steps; newest: HomeAgent | undefined }) {
  const { t } = useTranslation('home')
  return (
    <Paper p="md" component="section" aria-labelledby="first-steps">
      <Title order={2} id="first-steps" mb="sm">
        {t('firstSteps')}
      </Title>
      <List listStyleType="none" spacing="sm" type="ordered">
        <Step done={steps.create} number={1} text={t('stepCreateText')}>
          <AppLink to="/agents" search={{ create: true }}>
            {t('stepCreate')}
          </AppLink>
        </Step>
        <Step done={steps.try} number={2} text={t('stepTryText')}>
          {newest ? (
            <AppLink to="/agents/$id/playground" params={{ id: newest.id }}>
              {t('stepTry')}
            </AppLink>
          ) : (
            t('stepTry')
          )}
        </Step>
        <Step done={steps.open} number={3} text={t('stepExportText')}>
          {newest ? (
            <AppLink to="/agents/$id" params={{ id: newest.id }} search={{ node: 'channels' }}>
              {t('stepExport')}
            </AppLink>
          ) : (
            t('stepExport')
          )}
        </Step>
      </List>
    </Paper>
  )
}

function Step({ done, number, text, children }: { done: boolean; number: number; text: string; children: ReactNode }) {
  const { t } = useTranslation('home')
  return (
    <List.Item>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <ThemeIcon size={24} radius="xl" variant={done ? 'light' : 'default'} color="green" aria-hidden>
          {done ? <IconCheck size={16} /> : <Text size="sm">{number}</Text>}
        </ThemeIcon>
        <div>
          <Text fw={500} component="div">
            {children}
            {done && <VisuallyHidden> {t('done')}</VisuallyHidden>}
          </Text>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </div>
      </Group>
    </List.Item>
  )
}
