import { Box, Button, Group, List, Paper, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink, LoadingState, part } from '@/shared/ui'
import classes from '../Home.module.css'
import { type Home, type HomeExport, stepsOf } from '../queries'

const FirstCall = part(async () => ({ default: (await import('@/features/developers')).FirstCall }))

/** The way to the first call, each step ticked when it is done. Then `onShowFigures` leaves it. */
export function FirstSteps({ home, onShowFigures }: { home: Home; onShowFigures: () => void }) {
  const { t } = useTranslation('home')
  const steps = stepsOf(home)
  const [newest] = home.agents.nodes
  const live = home.agents.nodes.find(({ publishedVersion }) => publishedVersion)
  const [opened] = home.viewer.exports.nodes
  return (
    <Paper component="section" aria-labelledby="first-steps" className={classes.list}>
      <Title order={2} id="first-steps" p="md">
        {t('firstSteps')}
      </Title>
      <List listStyleType="none" type="ordered" className={`panel-list ${classes.steps}`}>
        <Step number={1} done={steps.create} text={newest?.name ?? t('step.createText')}>
          {newest ? (
            t('step.create')
          ) : (
            <AppLink to="/agents" search={{ create: true }}>
              {t('step.create')}
            </AppLink>
          )}
        </Step>
        <Step
          number={2}
          done={steps.publish}
          text={
            live ? t('step.live', { name: live.name, number: live.publishedVersion?.number }) : t('step.publishText')
          }
        >
          {newest && !steps.publish ? (
            <AppLink to="/agents/$id" params={{ id: newest.id }}>
              {t('step.publish')}
            </AppLink>
          ) : (
            t('step.publish')
          )}
        </Step>
        <Step number={3} done={steps.open} text={opened?.name ?? t('step.openText')}>
          {live && !opened ? (
            <AppLink to="/agents/$id" params={{ id: live.id }} search={{ node: 'channels' }}>
              {t('step.open')}
            </AppLink>
          ) : (
            t('step.open')
          )}
        </Step>
        <Step number={4} done={steps.call} text={opened ? undefined : t('step.callText')}>
          {t('step.call')}
        </Step>
      </List>
      {opened && <Call opened={opened} />}
      {steps.call && (
        <Group justify="space-between" gap="xs" className={classes.stepsDone}>
          <Text c="dimmed">{t('step.allDone')}</Text>
          <Button variant="default" onClick={onShowFigures}>
            {t('step.showFigures')}
          </Button>
        </Group>
      )}
    </Paper>
  )
}

type StepProps = { done: boolean; number: number; text?: string; children: ReactNode }

function Step({ done, number, text, children }: StepProps) {
  const { t } = useTranslation('home')
  return (
    <List.Item px="md" py="sm">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <ThemeIcon size={24} radius="xl" variant={done ? 'light' : 'default'} color="green" aria-hidden>
          {done ? <IconCheck size={16} /> : <Text size="sm">{number}</Text>}
        </ThemeIcon>
        <div style={{ minWidth: 0 }}>
          <Text fw={500} component="div" lh="24px">
            {children}
            {done && <VisuallyHidden> {t('done')}</VisuallyHidden>}
          </Text>
          {text && (
            <Text size="sm" c="dimmed" className="panel-user-text">
              {text}
            </Text>
          )}
        </div>
      </Group>
    </List.Item>
  )
}

/** The command of the first call, without the key, which was shown once. */
function Call({ opened }: { opened: HomeExport }) {
  const { t } = useTranslation('home')
  const { agent, pinnedVersion, requireUserId, userDailyMessageLimit } = opened
  const version = pinnedVersion ?? agent.publishedVersion
  return (
    <Box className={classes.call}>
      <Suspense fallback={<LoadingState />}>
        <FirstCall
          awaited={opened.id}
          variables={version?.variables ?? []}
          withUserId={requireUserId || userDailyMessageLimit != null}
        />
      </Suspense>
      <Text size="sm" c="dimmed" mt="sm">
        {t('step.keyLost')}{' '}
        <AppLink to="/agents/$id" params={{ id: agent.id }} search={{ node: 'channels' }} inherit underline="always">
          {t('step.toChannels')}
        </AppLink>{' '}
        {t('step.noTerminal')}{' '}
        <AppLink to="/agents/$id" params={{ id: agent.id }} inherit underline="always">
          {t('step.try')}
        </AppLink>
      </Text>
    </Box>
  )
}
