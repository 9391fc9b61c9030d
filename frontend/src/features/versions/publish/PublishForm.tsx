import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { gql, hasCode } from '@/shared/gql'
import { FormError, isTooLong, notifyDone } from '@/shared/ui'
import { newlyRequired, noLongerDeclared } from '../diff/content'
import { quoted, sourcesOf } from '../diff/knowledge'
import { ScrollingDiff } from '../diff/ScrollingDiff'
import { priceOf } from '../price'
import { PublishAgentDocument, type Reviewed, refreshVersions } from '../queries'
import { placeholder, undeclaredIn } from '../variables'
import { GateNotice } from './GateNotice'
import { useGate } from './gate'
import { Leftovers } from './Leftovers'
import { leftovers } from './leftovers'
import { NotReady, notReady } from './NotReady'
import classes from './PublishForm.module.css'
import { Recipients } from './Recipients'
import { undoPublishing } from './undo'

const maxNote = 500
/** How many of the sources that a version lacks are named once it is published. */
const namedAtMost = 3

type Props = {
  agent: Reviewed
  reread: () => Promise<{ data?: { agent: Reviewed } }>
  saveDraft: () => Promise<unknown>
  onClose: () => void
  onPublished: () => void
}

/** The effects of publishing, the note, and the button. */
export function PublishForm({ agent, reread, saveDraft, onClose, onPublished }: Props) {
  const { t } = useTranslation(['versions', 'agents'])
  const queryClient = useQueryClient()
  const [note, setNote] = useState('')
  const [overtaken, setOvertaken] = useState(false)
  const { id, updatedAt, missing, hasUnpublishedChanges: changed } = agent
  const nothing = !changed && agent.state === 'LIVE'
  const problems = useProblems(agent)
  const { gate, refetch: readTests } = useGate(id)
  const held = changed && gate?.held === true
  const locked = held && !gate.mayOverride
  const leftOut = notReady(agent)
  const warned = held || problems.length > 0 || leftOut.length > 0 || leftovers(agent.instructions).length > 0
  const tooLong = isTooLong(note.trim(), maxNote)
  const cancel = useRef<HTMLButtonElement>(null)
  // The dialog has put the focus elsewhere while the draft was loading.
  useEffect(() => {
    if (warned) cancel.current?.focus()
  }, [warned])
  const publish = useMutation({
    mutationFn: async () => {
      const input = {
        id,
        note: note.trim() || undefined,
        expectedUpdatedAt: updatedAt,
        withoutTests: held || undefined,
      }
      try {
        const { version, notReady: lacks } = (await gql(PublishAgentDocument, { input })).publishAgent
        await refreshVersions(queryClient)
        const named = lacks.slice(0, namedAtMost).map(({ name }) => name)
        const names = `${quoted(t, named)}${lacks.length > named.length ? ' …' : ''}`
        const done = lacks.length > 0 ? 'publishedWithout' : 'publishedDone'
        void notifyDone(t(done, { number: version.number, count: lacks.length, names }), undoOf(version.number))
        onPublished()
      } catch (error) {
        if (!hasCode(error, 'CONFLICT')) throw error
        const [{ data }] = await Promise.all([reread(), readTests()])
        const changedElsewhere = error.reason !== 'tests_required' && data?.agent.updatedAt !== updatedAt
        setOvertaken(changedElsewhere)
        // The tests are now required, which the gate shows, or the account’s versions take too much space.
        if (!changedElsewhere) throw error
      }
    },
  })
  // What was online before can come back: the version that callers got until now.
  const undoOf = (number: number) => {
    const before = agent.publishedVersion?.number
    if (before === undefined || before === number || agent.state !== 'LIVE') return {}
    const run = () => void undoPublishing(queryClient, { agentId: id, number, before, saveDraft })
    return { action: { label: t('undo'), run } }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!tooLong && !publish.isPending) publish.mutate()
  }
  const verb = held ? 'tests.without' : warned ? 'publishAnyway' : 'publishAs'
  const wide = changed && agent.publishedVersion != null
  return (
    <form onSubmit={submit} noValidate className="panel-dialog-whole">
      {overtaken && (
        <Alert color="yellow" role="alert" icon={<IconAlertTriangle aria-hidden />} title={t('overtaken')}>
          {t(nothing ? 'overtakenNothing' : 'overtakenText', { number: agent.publishedVersion?.number })}
        </Alert>
      )}
      <div className={wide ? classes.columns : undefined}>
        {changed && agent.publishedVersion && (
          <div>
            <Text mb="xs">{t('changesFrom', { number: agent.publishedVersion.number })}</Text>
            <ScrollingDiff before={agent.publishedVersion} after={agent} />
          </div>
        )}
        <Stack gap="md" className={classes.outcome}>
          {changed && <GateNotice agentId={id} gate={gate} lockedId="publish-locked" onLeave={onClose} />}
          {changed && <Leftovers content={agent} />}
          {changed && <ForTests agent={agent} />}
          {changed && <Problems texts={problems} />}
          <NotReady sources={leftOut} />
          {!nothing && !wide && (
            <Text>
              {agent.publishedVersion ? t('onlineText', { number: agent.publishedVersion.number }) : t('firstText')}
            </Text>
          )}
          {!nothing && <Recipients agent={agent} />}
          {changed && <Price agent={agent} />}
          {(changed || note !== '') && (
            <Textarea
              label={t('note')}
              description={t('noteHelp')}
              error={tooLong && t('form.tooLong', { ns: 'common', count: maxNote })}
              autosize
              minRows={2}
              maxRows={6}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
          )}
          {missing.length > 0 && (
            <Text id="publish-lacks" c="var(--warn)">
              {t('lacks', { ns: 'agents' })}{' '}
              {missing.map((one) => t(`requirement.${one}`, { ns: 'agents' })).join(' · ')}
            </Text>
          )}
          <FormError error={publish.error} onClose={publish.reset} />
        </Stack>
      </div>
      <Group justify="flex-end" gap="xs" mt="auto" className="panel-dialog-foot">
        {wide && (
          <Text size="sm" c="dimmed" style={{ flex: '1 1 200px' }}>
            {t('restorable', { number: agent.publishedVersion?.number })}
          </Text>
        )}
        <Group gap="xs" ml="auto">
          <Button variant="default" onClick={onClose} ref={cancel}>
            {t(nothing ? 'close' : 'cancel', { ns: 'common' })}
          </Button>
          {!nothing && (
            <Button
              type="submit"
              variant={warned ? 'default' : undefined}
              loading={publish.isPending}
              disabled={missing.length > 0 || locked}
              aria-describedby={missing.length > 0 ? 'publish-lacks' : locked ? 'publish-locked' : undefined}
            >
              {changed ? t(verb, { number: nextNumber(agent) }) : t('putOnline')}
            </Button>
          )}
        </Group>
      </Group>
    </form>
  )
}

/** Names without a variable, and which requests stop working, in words. */
function useProblems(agent: Reviewed): string[] {
  const { t } = useTranslation(['versions', 'variables'])
  return [
    ...undeclaredIn(agent.instructions, agent.variables).map((name) =>
      t('undeclared', { ns: 'variables', name: placeholder(name) }),
    ),
    ...newlyRequired(agent.publishedVersion, agent).map((name) => t('newlyRequired', { name })),
    ...noLongerDeclared(agent.publishedVersion, agent).map((name) => t('noLongerDeclared', { name })),
  ]
}

/** Says that replies are made up, when that is new. */
function ForTests({ agent: { model, publishedVersion } }: { agent: Reviewed }) {
  const { t } = useTranslation('versions')
  if (!model?.sandbox || publishedVersion?.model?.sandbox) return null
  return (
    <Alert color="yellow" role="note" icon={<IconAlertTriangle aria-hidden />}>
      {t('forTests', { label: model.label })}
    </Alert>
  )
}

function Problems({ texts }: { texts: string[] }) {
  if (texts.length === 0) return null
  return (
    <Alert color="yellow" role="status" icon={<IconAlertTriangle aria-hidden />}>
      {texts.map((text) => (
        <Text key={text} className="panel-user-text">
          {text}
        </Text>
      ))}
    </Alert>
  )
}

/** What a message costs from now on. */
function Price({ agent }: { agent: Reviewed }) {
  const { t } = useTranslation('versions')
  const { model, fallbackModel, publishedVersion } = agent
  if (!model) return null
  const knows = sourcesOf(agent).length > 0
  const before = publishedVersion?.model && priceOf(publishedVersion.model, sourcesOf(publishedVersion).length > 0)
  const count = priceOf(model, knows)
  const fallbackPrice = fallbackModel && priceOf(fallbackModel, knows)
  return (
    <section aria-label={t('price')}>
      <Text fw={600} size="sm">
        {t('price')}
      </Text>
      <Text>
        {t('perMessage', { count, amount: formatNumber(count) })}
        {before != null && (before === count ? t('asNow') : t('insteadOf', { amount: formatNumber(before) }))}
      </Text>
      {fallbackModel && fallbackPrice != null && fallbackPrice !== count && (
        <Text size="sm" c="dimmed" className="panel-user-text">
          {t('priceOfFallback', {
            label: fallbackModel.label,
            count: fallbackPrice,
            amount: formatNumber(fallbackPrice),
          })}
        </Text>
      )}
    </section>
  )
}

/** The number of the version that publishing makes. */
const nextNumber = ({ publishedVersion }: Reviewed) => (publishedVersion?.number ?? 0) + 1
