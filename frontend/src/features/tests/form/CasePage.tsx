import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Agent } from '@/features/agents'
import { AppLink, EmptyState, FormShape, QueryView } from '@/shared/ui'
import { newCase, valuesOf } from '../document'
import { testCaseFromQuery, testCaseQuery } from '../queries'
import { CaseForm } from './CaseForm'

/** The form for a new case, which may be proposed from a turn. */
export function NewCase({ agent, turnId }: { agent: Agent; turnId: string | undefined }) {
  const { t } = useTranslation('tests')
  const [blank] = useState(() => ({
    ...newCase(),
    variables: agent.variables.filter(({ required }) => required).map(({ name }) => ({ name, value: '' })),
  }))
  return (
    <>
      <BackLink agentId={agent.id} />
      {turnId ? (
        <Proposed agent={agent} turnId={turnId} />
      ) : (
        <CaseForm agent={agent} title={t('newTitle')} form="case" initial={blank} />
      )}
    </>
  )
}

function Proposed({ agent, turnId }: { agent: Agent; turnId: string }) {
  const { t } = useTranslation('tests')
  const query = useQuery(testCaseFromQuery(turnId))
  return (
    <QueryView query={query} loading={<FormShape fields={3} />}>
      {({ testCaseFrom }) => (
        <CaseForm
          agent={agent}
          title={t('newTitle')}
          form={`case-of-${turnId}`}
          // A proposed document has no checks yet, so it is not enabled.
          initial={{ ...valuesOf(testCaseFrom), enabled: true, checks: newCase().checks }}
          turnId={turnId}
        />
      )}
    </QueryView>
  )
}

/** The form for a case. It does not change if another member edits the case; saving then reports the conflict. */
export function OpenCase({ agent, id }: { agent: Agent; id: string }) {
  const { t } = useTranslation('tests')
  const query = useQuery({ ...testCaseQuery(id), refetchOnWindowFocus: false })
  return (
    <>
      <BackLink agentId={agent.id} />
      <QueryView query={query} loading={<FormShape fields={3} />} missing={<EmptyState title={t('gone')} />}>
        {({ testCase }) =>
          testCase && (
            <CaseForm
              agent={agent}
              title={t('case', { number: testCase.number })}
              form={`case-${id}`}
              initial={valuesOf(testCase.document)}
              replaced={{ id, linked: testCase.conversation != null }}
            />
          )
        }
      </QueryView>
    </>
  )
}

function BackLink({ agentId }: { agentId: string }) {
  const { t } = useTranslation('tests')
  return (
    <AppLink to="/agents/$id/tests" params={{ id: agentId }} w="fit-content">
      {t('all')}
    </AppLink>
  )
}
