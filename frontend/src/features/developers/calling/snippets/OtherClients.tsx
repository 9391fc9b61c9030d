import { Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OperatorText, useServiceInfo } from '@/features/auth'
import { QueryView } from '@/shared/ui'
import classes from '../code.module.css'
import { Code } from './Code'
import { type Client, clients, keyFileVariable } from './clients'
import { type Called, keyVariable } from './snippets'

const kinds = ['libraries', 'apps', 'mcp'] as const
const variableOf = { variable: `$${keyVariable}`, asked: keyVariable, file: keyFileVariable }

/** The settings of software that calls the agent through the bridge, if the service has one. */
export function OtherClients(called: Called) {
  const { t } = useTranslation('calling')
  const service = useServiceInfo()
  return (
    <QueryView query={service}>
      {({ bridgeUrl, supportContact }) =>
        bridgeUrl ? (
          <Clients bridge={bridgeUrl} {...called} />
        ) : (
          <Text>
            {t('clients.none')} <OperatorText text={supportContact} />
          </Text>
        )
      }
    </QueryView>
  )
}

function Clients({ bridge, ...called }: Called & { bridge: string }) {
  const { t } = useTranslation('calling')
  const [client, setClient] = useState<Client>(clients[0] as Client)
  const { id, label, kind, grammar, file, key } = client
  return (
    <Stack gap="xs">
      <Select
        aria-label={t('clients.client')}
        data={kinds.map((group) => ({
          group: t(`clients.kind.${group}`),
          items: clients.filter((one) => one.kind === group).map((one) => ({ value: one.id, label: one.label })),
        }))}
        value={id}
        onChange={(next) => setClient(clients.find((one) => one.id === next) ?? client)}
        allowDeselect={false}
        withScrollArea={false}
        styles={{ options: { maxHeight: 400, overflowY: 'auto' } }} // the list itself scrolls, by arrow keys too
        maw={280}
      />
      <Text size="sm" c="dimmed">
        {t(`clients.key.${key}`, { variable: variableOf[key] })}
      </Text>
      <MissingVariables client={client} {...called} />
      <Code
        code={client.block({ bridge, ...called })}
        grammar={grammar}
        label={t('clients.settings', { client: label })}
        copyLabel={t('clients.copy')}
        head={
          <code translate="no" className={classes.endpoint} style={{ display: 'block' }}>
            {file ?? bridge + (kind === 'mcp' ? '/mcp' : '/v1')}
          </code>
        }
      />
    </Stack>
  )
}

/** The required variables that a client can't send. A system prompt is the variable "instructions". */
function MissingVariables({ client: { sendsVariables, kind }, variables }: Called & { client: Client }) {
  const { t } = useTranslation('calling')
  const missing = variables.filter(({ name, required }) => required && (kind === 'mcp' || name !== 'instructions'))
  if (sendsVariables || missing.length === 0) return null
  return (
    <Text size="sm" c="var(--warn)">
      {t('clients.variables', { names: missing.map(({ name }) => name).join(', ') })}
    </Text>
  )
}
