import { Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { May, MayChange } from '@/features/auth'
import { allConversationsQuery, ConversationList, type ListPage } from '@/features/conversations'
import { barsOf, Strip } from '@/features/requests'
import { Download } from '@/shared/download'
import { followFirstPage, followMs } from '@/shared/gql'
import { lastDays, useNow } from '@/shared/time'
import { AppLink, ButtonLink, EmptyState, Page, QueryView } from '@/shared/ui'
import classes from '../People.module.css'
import { personQuery, type UsageDay } from '../queries'
import { State } from '../Today'
import { About } from './About'
import { BlockButton, EraseMenu } from './Actions'
import { personJsonl } from './download'
import { Figures } from './Figures'
import { OwnLimit } from './OwnLimit'
import { PersonShape } from './PersonShape'

const route = getRouteApi('/_app/activity/people/person')

/** One person: what they use, their conversations, and what they may. */
export function PersonPage() {
  const { t } = useTranslation('people')
  const { id = '', agent } = route.useSearch()
  const query = useQuery({ ...personQuery(id), refetchInterval: followMs })
  const person = query.data?.viewer.endUser
  return (
    <Page
      tabTitle={id || t('person')}
      title={
        <Text span inherit lineClamp={2} title={id} translate="no" className="panel-user-text">
          {id || t('person')}
        </Text>
      }
      above={
        <AppLink to="/activity/people" search={{ agent }} size="sm" w="fit-content">
          {t('title')}
        </AppLink>
      }
      description={person && <State row={person} />}
      actions={
        person && (
          <>
            <Download
              key={id}
              name="person"
              formats={[{ ending: 'jsonl', read: (control) => personJsonl(id, control) }]}
            />
            <May least="EDITOR">
              <BlockButton person={person} />
              <EraseMenu userId={id} agentId={agent} />
            </May>
          </>
        )
      }
    >
      <QueryView query={query} loading={<PersonShape />}>
        {({ viewer: { endUser, month, days } }) =>
          endUser ? (
            <Stack gap="lg">
              <Figures person={endUser} month={month[0]} />
              <Days userId={id} days={days} />
              <div key={id} className={classes.columns}>
                <Conversations userId={id} />
                <div className={classes.column}>
                  <MayChange least="EDITOR">
                    <OwnLimit person={endUser} />
                  </MayChange>
                  <About person={endUser} />
                </div>
              </div>
            </Stack>
          ) : (
            <EmptyState
              title={t('unknown')}
              text={t('unknownText')}
              action={
                <ButtonLink to="/activity/people" variant="default">
                  {t('all')}
                </ButtonLink>
              }
            />
          )
        }
      </QueryView>
    </Page>
  )
}

/** The requests of the last 30 days. Some days lead to theirs. */
function Days({ userId, days }: { userId: string; days: UsageDay[] }) {
  const navigate = useNavigate()
  const { to } = lastDays(30, useNow())
  return (
    <Strip
      bars={barsOf(days, { to })}
      hourly={false}
      onChoose={({ from: since, to: until }) =>
        void navigate({ to: '/activity/requests', search: { userId, time: '30d', since, until } })
      }
    />
  )
}

/** The rows do not say whose they are: all are of the page's person. */
function withoutPerson(page: ListPage): ListPage {
  return { ...page, nodes: page.nodes.map((row) => ({ ...row, userId: null })) }
}

function Conversations({ userId }: { userId: string }) {
  const { t } = useTranslation('people')
  const query = useInfiniteQuery({ ...allConversationsQuery({ userId }), refetchInterval: followFirstPage })
  return (
    <section aria-label={t('conversations')}>
      <Title order={2} mb="xs">
        {t('conversations')}
      </Title>
      <ConversationList
        query={query}
        pagesOf={({ pages }) => pages.map((page) => withoutPerson(page.viewer.conversations))}
        filters={{ time: 'all' }}
        opens={{ userId, time: 'all' }}
        emptyText={t('noConversations')}
        next={undefined}
      />
    </section>
  )
}
