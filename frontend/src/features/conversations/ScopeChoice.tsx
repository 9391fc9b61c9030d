import { Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './Conversations.module.css'

/** Whether an action applies to the conversations with one agent or with all agents. */
export type Scope = 'agent' | 'all'

type Props = { agentName: string; onChange: (scope: Scope) => void }

export function ScopeChoice({ agentName, onChange }: Props) {
  const { t } = useTranslation('conversations')
  const [scope, setScope] = useState<Scope>('agent')
  return (
    <Radio.Group
      label={t('scope')}
      value={scope}
      onChange={(value) => {
        setScope(value as Scope)
        onChange(value as Scope)
      }}
    >
      <Stack gap="xs" mt="xs">
        <Radio
          value="agent"
          label={<span className={`panel-user-text ${classes.clip}`}>{t('scopeAgent', { name: agentName })}</span>}
        />
        <Radio value="all" label={t('scopeAll')} />
      </Stack>
    </Radio.Group>
  )
}
