import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '@/shared/ui'
import { endpoint, keyVariable, sampled, sampleUser } from './snippets/snippets'

type Props = {
  agentName: string
  /** What the published version declares. */
  variables: { name: string; required: boolean }[]
  /** Whether messages need a user_id. */
  withUserId: boolean
}

/** Copies what a developer needs to know, without the key. */
export function Instructions({ agentName, variables, withUserId }: Props) {
  const { t } = useTranslation('calling')
  return (
    <Group>
      <CopyButton value={useText({ agentName, variables, withUserId })} label={t('copyInstructions')} />
    </Group>
  )
}

/** What a developer needs to know. */
function useText({ agentName: agent, variables, withUserId }: Props): string {
  const { t } = useTranslation('calling')
  const docs = `${window.location.origin}/developers/reference`
  const text = t('instructions', { agent, endpoint: endpoint(), docs, variable: keyVariable })
  const user = withUserId && t('instructionsUser', { example: `"user_id": "${sampleUser}"` })
  return [text, user, useVariablesText(variables)].filter(Boolean).join('\n')
}

function useVariablesText(variables: Props['variables']): string {
  const { t } = useTranslation('calling')
  if (variables.length === 0) return ''
  const names = variables.map(({ name, required }) => (required ? t('requiredVariable', { name }) : name)).join(', ')
  const values = Object.fromEntries(sampled(variables).map((name) => [name, 'example']))
  return t('instructionsVariables', { names, example: `"variables": ${JSON.stringify(values)}` })
}
