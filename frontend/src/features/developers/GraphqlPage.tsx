import { Anchor, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '@/shared/ui'
import { DevelopersFrame } from './DevelopersFrame'
import { examples } from './graphqlExamples'
import { Example } from './reference/Example'

/** The API behind the panel, for programs that manage agents and exports. */
export function GraphqlPage() {
  const { t } = useTranslation('developers')
  const address = `${window.location.origin}/graphql`
  return (
    <DevelopersFrame title={t('graphql')} description={t('graphqlText')}>
      <Paper p="md" component="section">
        <Title order={2} mb="sm">
          {t('address')}
        </Title>
        <Group gap="xs" justify="space-between">
          <Code fz="sm" className="panel-user-text">
            POST {address}
          </Code>
          <CopyButton value={address} label={t('copyAddress')} size="xs" />
        </Group>
      </Paper>
      <Paper p="md" component="section">
        <Title order={2} mb="sm">
          {t('examples.title')}
        </Title>
        <Stack gap="md" align="stretch">
          <Example title={t('examples.listAgents')} code={examples.listAgents} />
          <Example title={t('examples.pageConversations')} code={examples.pageConversations} />
          <Example title={t('examples.replaceKey')} text={t('examples.replaceKeyText')} code={examples.replaceKey} />
        </Stack>
      </Paper>
      <Paper p="md" component="section">
        <Title order={2} mb={4}>
          {t('explorerTitle')}
        </Title>
        <Text mb="sm">{t('explorerText')}</Text>
        {/* Not pages of the panel, so plain links. */}
        <Group gap="md">
          <Anchor href="/explorer" underline="always">
            {t('explorer')}
          </Anchor>
          <Anchor href="/schema.graphql" target="_blank" underline="always">
            {t('schema')}
          </Anchor>
        </Group>
      </Paper>
    </DevelopersFrame>
  )
}
