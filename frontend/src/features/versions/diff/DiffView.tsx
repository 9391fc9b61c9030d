import { Stack, Text, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ChangedText } from './ChangedText'
import type { Content, Setting } from './content'
import { actionsText, changedSettings, useSettingText } from './content'
import classes from './Diff.module.css'
import { type KnowledgeChange, knowledgeChanges, quoted } from './knowledge'
import { useVariableText } from './useVariableText'

type Props = { before: Content; after: Content }

/** What changes from one content of an agent to another: the instructions line by line, the variables, the actions, the knowledge, then the settings. */
export function DiffView({ before, after }: Props) {
  const { t } = useTranslation('versions')
  const changed = changedSettings(before, after)
  const lineOf = useVariableText()
  const listed = ({ variables }: Content) => variables.map(lineOf).join('\n')
  const texts = [
    { title: t('instructions'), label: t('instructionsDiff'), before: before.instructions, after: after.instructions },
    { title: t('variables'), label: t('variablesDiff'), before: listed(before), after: listed(after) },
    { title: t('agentActions'), label: t('agentActionsDiff'), before: actionsText(before), after: actionsText(after) },
    {
      title: t('replySchema'),
      label: t('replySchemaDiff'),
      before: before.replySchema ?? '',
      after: after.replySchema ?? '',
    },
  ].filter((text) => text.before !== text.after)
  const knowledge = knowledgeChanges(before, after)
  if (texts.length === 0 && changed.length === 0 && knowledge.length === 0)
    return <Text c="dimmed">{t('noDifference')}</Text>
  return (
    <Stack gap="sm">
      {texts.map((text) => (
        <ChangedText key={text.title} {...text} />
      ))}
      {knowledge.length > 0 && <Knowledge changes={knowledge} />}
      {changed.length > 0 && <Settings before={before} after={after} changed={changed} />}
    </Stack>
  )
}

/** Which sources come, go and are replaced. */
function Knowledge({ changes }: { changes: KnowledgeChange[] }) {
  const { t } = useTranslation('versions')
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {t('knowledge')}
      </Text>
      <ul aria-label={t('knowledgeDiff')} className={classes.list} style={{ font: 'var(--t13)' }}>
        {changes.map(({ kind, names }) => (
          <li key={kind} className="panel-user-text">
            {t(`what.knowledge.${kind}`, { count: names.length, names: quoted(t, names) })}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Settings({ before, after, changed }: Props & { changed: Setting[] }) {
  const { t } = useTranslation('versions')
  const textOf = useSettingText()
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {t('settings')}
      </Text>
      <dl className="panel-facts panel-numbers" style={{ font: 'var(--t13)' }}>
        {changed.map((setting) => (
          <div key={setting} style={{ display: 'contents' }}>
            <dt>{t(`setting.${setting}`)}</dt>
            <dd>
              <VisuallyHidden>{t('from')} </VisuallyHidden>
              <del className={classes.before}>{textOf(before, setting)}</del> <span aria-hidden>→</span>
              <VisuallyHidden> {t('to')}</VisuallyHidden> <ins className={classes.after}>{textOf(after, setting)}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
