import { Box, Group } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton, select } from '@/shared/ui'
import { endpoint, keyVariable, sampled, sampleUser } from './snippets/snippets'

type Props = {
  agentName: string
  /** What the published version declares. */
  variables: { name: string; required: boolean }[]
  /** Whether messages need a user_id. */
  withUserId: boolean
}

/** Copies what a developer needs to know, without the key. If copying fails, the text is shown to copy by hand. */
export function Instructions({ agentName, variables, withUserId }: Props) {
  const { t } = useTranslation('calling')
  const [failed, setFailed] = useState(false)
  const shown = useRef<HTMLElement>(null)
  const text = useText({ agentName, variables, withUserId })
  useEffect(() => {
    if (failed && shown.current) select(shown.current)
  }, [failed])
  return (
    <>
      <Group>
        <CopyButton value={text} label={t('copyInstructions')} shown={shown} onFailed={() => setFailed(true)} />
      </Group>
      {failed && (
        <Box
          component="section"
          ref={shown}
          className="panel-value"
          tabIndex={0}
          aria-label={t('instructionsTitle')}
          style={{ whiteSpace: 'pre-wrap' }}
        >
          {text}
        </Box>
      )}
    </>
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
