import { Button, Group, Input, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { knowledgeUseQuery } from '@/features/knowledge'
import { QueryView, ShowMore } from '@/shared/ui'
import type { Agent } from '../queries'
import { AnswerDialog } from './AnswerDialog'
import { knowledgeQuery } from './queries'
import { SourceDrawer } from './SourceDrawer'
import { SourcesTable } from './SourcesTable'
import { TextDialog } from './TextDialog'
import { TryQuestion } from './TryQuestion'
import { UnusedButton } from './UnusedButton'
import { Use } from './Use'

/** What an agent knows: its sources, how they reach the model, and a search in them. Each change is made at once, in the draft. */
export default function KnowledgeEditor({ agent, listed }: { agent: Agent; listed: boolean }) {
  const { knowledge } = useSearch({ strict: false })
  const navigate = useNavigate()
  const open = (id: string | undefined) =>
    void navigate({ to: '.', search: (old) => ({ ...old, knowledge: id }), resetScroll: false })
  return (
    // The page's form has nothing to do with the dialogs of this part.
    <div onSubmit={(event) => event.stopPropagation()}>
      {listed && <Sources agent={agent} onOpen={open} />}
      <SourceDrawer agent={agent} id={knowledge} onOpen={open} />
    </div>
  )
}

function Sources({ agent, onOpen }: { agent: Agent; onOpen: (id: string) => void }) {
  const { t } = useTranslation('knowledge')
  const [adding, setAdding] = useState<'text' | 'answer'>()
  const use = useQuery(knowledgeUseQuery(agent.id)).data?.agent.knowledgeUse
  const query = useInfiniteQuery(knowledgeQuery(agent.id))
  const close = () => setAdding(undefined)
  return (
    <Stack gap="sm" component="section" aria-label={t('title')}>
      <Input.Description>{t('help')}</Input.Description>
      <Group gap="xs">
        {(['text', 'answer'] as const).map((kind) => (
          <Button
            key={kind}
            variant="default"
            size="xs"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setAdding(kind)}
          >
            {t(kind === 'text' ? 'addText' : 'addAnswer')}
          </Button>
        ))}
      </Group>
      <QueryView query={query}>
        {({ pages }) => {
          const sources = pages.flatMap((page) => page.agent.knowledge.nodes)
          if (sources.length === 0)
            return (
              <Text size="sm" c="dimmed">
                {t('emptyText')}
              </Text>
            )
          return (
            <>
              {use && <Text size="sm">{t(`mode.${use.mode}`)}</Text>}
              <ShowMore query={query}>
                <SourcesTable sources={sources} onOpen={onOpen} />
              </ShowMore>
              {use && <Use use={use} />}
              <UnusedButton agent={agent} sources={sources} more={query.hasNextPage} />
              {use && use.mode !== 'NONE' && <TryQuestion agentId={agent.id} mode={use.mode} onOpen={onOpen} />}
            </>
          )
        }}
      </QueryView>
      {adding === 'text' && <TextDialog agentId={agent.id} onClose={close} />}
      {adding === 'answer' && <AnswerDialog agentId={agent.id} onClose={close} />}
    </Stack>
  )
}
