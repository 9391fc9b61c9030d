import 'graphiql/style.css'
import './graphiql.css'
import './editors'
import { useComputedColorScheme } from '@mantine/core'
import { GraphiQL } from 'graphiql'
import { useTranslation } from 'react-i18next'
import { fetcher } from './fetcher'
import { schema } from './schema'
import { nowhere } from './storage'

/**
 * GraphiQL itself, version 4: version 5 needs Monaco, which is megabytes and workers, and version 3 does not support React 19.
 * It stores nothing and does not fetch the schema.
 */
export default function Workbench() {
  const { t } = useTranslation('explorer')
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  return (
    <GraphiQL
      fetcher={fetcher}
      schema={schema}
      storage={nowhere}
      forcedTheme={scheme}
      // The only header is the access token, which the session adds.
      isHeadersEditorEnabled={false}
      shouldPersistHeaders={false}
      defaultQuery={t('firstQuery')}
    >
      <GraphiQL.Logo>{null}</GraphiQL.Logo>
    </GraphiQL>
  )
}
