import '@/shared/ui/theme/global.css'
import 'graphiql/style.css'
import './explorer.css'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { GraphiQL, type GraphiQLProps } from 'graphiql'
import { buildSchema } from 'graphql'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { accountId, session } from '@/shared/gql'
import { i18n } from '@/shared/i18n'

// A page of its own, because its content policy is GraphiQL's. Version 5 of GraphiQL would need Monaco: megabytes, and workers.

// Introspection is off. The binary that serves this page was built with these files, so they match.
const files = import.meta.glob<string>('../../graph/schema/*.graphqls', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const schema = buildSchema(Object.values(files).join('\n'))

/** Keeps nothing: what is typed may contain a password. */
const storage = { getItem: () => null, setItem() {}, removeItem() {}, clear() {}, length: 0 }

const t = i18n.getFixedT(null, 'explorer')

/** Sends an operation as the signed-in account. A rejected token is renewed once. */
const fetcher: GraphiQLProps['fetcher'] = async (params) => {
  const send = (token: string) => {
    const headers = new Headers({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' })
    headers.set('Authorization', `Bearer ${token}`)
    const account = accountId()
    if (account) headers.set('X-Account-Id', account)
    return fetch('/graphql', { method: 'POST', headers, body: JSON.stringify(params) })
  }
  // Without a token the service itself says what is wrong.
  const token = await session.token().catch(() => '')
  let response = await send(token)
  if (response.status === 401) response = await send(await session.token(token).catch(() => ''))
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
  return isStream && response.body ? events(response.body) : response.json()
}

/** The answers of a subscription. GraphiQL's Stop button calls `return`. */
function events(body: NonNullable<Response['body']>): AsyncIterableIterator<object> {
  const reader = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader()
  const end = { done: true, value: undefined } as const
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      const { value } = await reader.read()
      return value?.event === 'next' ? { value: JSON.parse(value.data) } : end
    },
    async return() {
      await reader.cancel()
      return end
    },
  }
}

/** The Tab key leaves an editor, which would take it as text. */
function letTabLeave(event: KeyboardEvent<HTMLElement>) {
  if (event.key === 'Tab' && event.target instanceof HTMLTextAreaElement) event.stopPropagation()
}

/** Signing out leaves the page, because it shows the account's answers. When the session expires, what was typed stays. */
function Explorer() {
  const [expired, setExpired] = useState(false)
  useEffect(() => {
    return session.subscribe((event) => {
      if (event === 'signed-out' || event === 'elsewhere') window.location.replace('/login')
      else setExpired(event === 'expired')
    })
  }, [])
  return (
    <>
      <header>
        <a href="/">{t('product', { ns: 'common' })}</a>
        <h1>{t('title')}</h1>
        <a href="/developers">{t('reference')}</a>
        <span role="note">{t('notice')}</span>
        {expired && (
          <p role="alert">
            {t('ended')}{' '}
            <a href="/login" target="_blank" rel="noopener">
              {t('signIn')}
            </a>
          </p>
        )}
      </header>
      <main onKeyDownCapture={letTabLeave}>
        <GraphiQL
          fetcher={fetcher}
          schema={schema}
          storage={storage}
          forcedTheme={document.documentElement.dataset.mantineColorScheme === 'dark' ? 'dark' : 'light'}
          isHeadersEditorEnabled={false}
          defaultQuery={t('firstQuery')}
        />
      </main>
    </>
  )
}

// Not awaited at the top level: Vite would split the panel's files worse.
void session
  .isSignedIn()
  .catch(() => true)
  .then((isSignedIn) => {
    if (isSignedIn) createRoot(document.getElementById('root') as HTMLElement).render(<Explorer />)
    else window.location.replace('/login?next=%2Fexplorer')
  })
