import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '@/shared/ui'
import { type Called, endpoint, keyVariable, sampled, sampleUser } from './snippets/snippets'

type Props = Pick<Called, 'variables' | 'actions' | 'withUserId'> & { agentName: string }

/** A button that copies the instructions for a developer, without the key. */
export function Instructions(props: Props) {
  const { t } = useTranslation('calling')
  return (
    <Group gap="xs">
      <CopyButton value={useText(props)} label={t('copyInstructions')} />
    </Group>
  )
}

const actionResults = '"action_results": [{"id": "<its id>", "result": {}}]'

/** Returns the instructions for a developer. */
function useText({ agentName: agent, variables, actions = [], withUserId }: Props): string {
  const { t } = useTranslation('calling')
  const docs = `${window.location.origin}/developers`
  const text = t('instructions', { agent, endpoint: endpoint(), docs, variable: keyVariable })
  const user = withUserId && t('instructionsUser', { example: `"user_id": "${sampleUser}"` })
  const names = actions.map(({ name }) => name).join(', ')
  const acting = names && t('instructionsActions', { names, example: actionResults, docs: `${docs}#overview` })
  return [text, user, useVariablesText(variables), acting].filter(Boolean).join('\n')
}

function useVariablesText(variables: Props['variables']): string {
  const { t } = useTranslation('calling')
  if (variables.length === 0) return ''
  const names = variables.map(({ name, required }) => (required ? t('requiredVariable', { name }) : name)).join(', ')
  const values = Object.fromEntries(sampled(variables).map((name) => [name, 'example']))
  return t('instructionsVariables', { names, example: `"variables": ${JSON.stringify(values)}` })
}
