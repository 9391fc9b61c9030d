import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { actionsText, type Content, settings, useSettingText } from './content'
import classes from './Diff.module.css'
import { sourcesOf } from './knowledge'
import { useVariableText } from './useVariableText'

/** The instructions, variables, actions, knowledge and settings of a version that has none before it to compare with. */
export function ContentView({ content }: { content: Content }) {
  const { t } = useTranslation('versions')
  const textOf = useSettingText()
  const lineOf = useVariableText()
  const known = sourcesOf(content)
  return (
    <Stack gap="sm">
      <div>
        <Text size="sm" c="dimmed" mb={4}>
          {t('instructions')}
        </Text>
        <div className={`${classes.whole} panel-user-text`}>{content.instructions}</div>
      </div>
      {content.variables.length > 0 && (
        <div>
          <Text size="sm" c="dimmed" mb={4}>
            {t('variables')}
          </Text>
          <ul className={`${classes.whole} ${classes.list} panel-user-text`} aria-label={t('variables')}>
            {content.variables.map((variable) => (
              <li key={variable.name}>{lineOf(variable)}</li>
            ))}
          </ul>
        </div>
      )}
      {content.actions.length > 0 && (
        <div>
          <Text size="sm" c="dimmed" mb={4}>
            {t('agentActions')}
          </Text>
          <div className={`${classes.whole} panel-user-text`}>{actionsText(content)}</div>
        </div>
      )}
      {known.length > 0 && (
        <div>
          <Text size="sm" c="dimmed" mb={4}>
            {t('knowledge')}
          </Text>
          <ul className={`${classes.whole} ${classes.list} panel-user-text`} aria-label={t('knowledge')}>
            {known.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        </div>
      )}
      {content.replySchema && (
        <div>
          <Text size="sm" c="dimmed" mb={4}>
            {t('replySchema')}
          </Text>
          <div className={`${classes.whole} panel-user-text`}>{content.replySchema}</div>
        </div>
      )}
      <div>
        <Text size="sm" c="dimmed" mb={4}>
          {t('settings')}
        </Text>
        <dl className="panel-facts panel-numbers" style={{ font: 'var(--t13)' }}>
          {settings.map((setting) => (
            <div key={setting} style={{ display: 'contents' }}>
              <dt>{t(`setting.${setting}`)}</dt>
              <dd>{textOf(content, setting)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Stack>
  )
}
