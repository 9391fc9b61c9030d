import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { TurnMessage } from '@/features/conversations'
import { draftKey, keepDraft } from '@/shared/drafts'
import { withFragment } from '@/shared/gql'
import { forgetRemembered } from '@/shared/remembered'
import { useNow } from '@/shared/time'
import { AppLink, ButtonLink } from '@/shared/ui'
import { lastHour, similarQuery } from './counts'
import type { Request } from './queries'

/** Leads to the other requests of the last hour that ended with the same code. */
export function Similar({ request: { code, agent, at } }: { request: Request }) {
  const { t } = useTranslation('requests')
  const { from, to } = lastHour(useNow())
  const { data } = useQuery({ ...similarQuery(code ?? '', agent?.id, { from, to }), enabled: code != null })
  const count = (data ?? 0) - (at >= from && at < to ? 1 : 0)
  if (code == null || count <= 0) return null
  return (
    <Text size="md" mt={8}>
      <AppLink to="/activity/requests" search={{ code, agentId: agent?.id, since: from, until: to }} inherit>
        {t('similar', { count })}
      </AppLink>
    </Text>
  )
}

/** Puts a message into Try's field, in a new chat: as Try itself keeps one that was not sent. */
function prepareTry(agentId: string, message: string) {
  forgetRemembered(agentId)
  keepDraft(draftKey(agentId, 'try'), { base: { values: { message: '' } }, values: { message } })
}

/** Opens a new chat in Try, with the message in its field. */
export function OpenInTry({ request: { agent, turn } }: { request: Request }) {
  const { t } = useTranslation('requests')
  const message = turn && withFragment(TurnMessage, turn).message
  if (!agent || !message) return null
  return (
    <May least="EDITOR">
      <ButtonLink
        to="/agents/$id"
        params={{ id: agent.id }}
        search={{ try: 'window' }}
        variant="default"
        w="fit-content"
        onClick={() => prepareTry(agent.id, message)}
      >
        {t('openInTry')}
      </ButtonLink>
    </May>
  )
}
