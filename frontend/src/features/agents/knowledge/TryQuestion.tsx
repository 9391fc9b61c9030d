import { Anchor, Button, Group, Input, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KnowledgeMode } from '@/gql/graphql'
import { formatNumber } from '@/shared/format'
import { LongText } from '@/shared/markdown'
import { QueryView } from '@/shared/ui'
import classes from './Knowledge.module.css'
import { type Found, searchQuery } from './queries'
import { splitAtWords } from './splitAtWords'

type Props = { agentId: string; mode: KnowledgeMode; onOpen: (id: string) => void }

/** A question, and the passages that a search finds for it. */
export function TryQuestion({ agentId, mode, onOpen }: Props) {
  const { t } = useTranslation('knowledge')
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const query = useQuery({ ...searchQuery(agentId, asked), enabled: asked !== '' })
  const find = () => {
    const question = typed.trim()
    if (question === asked && question !== '') void query.refetch()
    else setAsked(question)
  }
  // The field is inside the page's form, which Enter would submit.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    find()
  }
  return (
    <Stack gap="xs" component="section" aria-label={t('try')}>
      <div>
        <h3 className={classes.label}>{t('try')}</h3>
        <Input.Description>{t('tryHelp')}</Input.Description>
      </div>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          aria-label={t('question')}
          placeholder={t('questionPlaceholder')}
          style={{ flex: 1, minWidth: 0 }}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button variant="default" leftSection={<IconSearch size={16} aria-hidden />} onClick={find}>
          {t('find')}
        </Button>
      </Group>
      {asked !== '' && (
        <QueryView query={query}>
          {({ searchKnowledge: found }) => (
            <>
              <Text size="sm" role="status">
                {t('found', { count: found.length })}
              </Text>
              <Passages found={found} onOpen={onOpen} />
              {found.length > 0 && (
                <Text size="xs" c="dimmed">
                  {t('scoreHelp')} {mode === 'WHOLE' && t('wholeHelp')}
                </Text>
              )}
            </>
          )}
        </QueryView>
      )}
    </Stack>
  )
}

function Passages({ found, onOpen }: { found: readonly Found[]; onOpen: (id: string) => void }) {
  const { t } = useTranslation('knowledge')
  const best = Math.max(...found.map(({ score }) => score))
  return (
    <ol className={classes.list} aria-label={t('foundList')}>
      {found.map((passage, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: passages have no names, and stay in their order
        <li key={at} className={classes.box}>
          <div className={classes.found}>
            <Anchor
              component="button"
              type="button"
              size="xs"
              className="panel-user-text"
              onClick={() => onOpen(passage.source.id)}
            >
              {passage.source.name}
            </Anchor>
            {passage.heading && <span className="panel-user-text">{passage.heading}</span>}
            {passage.page != null && <span>{t('page', { page: passage.page })}</span>}
            <span className={`${classes.score} panel-numbers`}>
              <span className={classes.bar} aria-hidden>
                <span style={{ scale: `${best > 0 ? passage.score / best : 0} 1` }} />
              </span>
              {t('score', { score: formatNumber(Math.round(passage.score * 10) / 10) })}
            </span>
          </div>
          <LongText text={passage.text} most={600}>
            {(shown) => <Marked text={shown} words={passage.words} />}
          </LongText>
          {passage.words.length > 0 && (
            <Text size="xs" c="dimmed" mt={4} className="panel-user-text">
              {t('words', { words: passage.words.join(', ') })}
            </Text>
          )}
        </li>
      ))}
    </ol>
  )
}

/** An untrusted text with its words of the question marked. */
function Marked({ text, words }: { text: string; words: readonly string[] }) {
  return (
    <div dir="auto" className="panel-user-text" style={{ whiteSpace: 'pre-wrap', font: 'var(--t13)' }}>
      {splitAtWords(text, words).map((piece, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no names
        at % 2 === 1 ? <mark key={at}>{piece}</mark> : piece,
      )}
    </div>
  )
}
