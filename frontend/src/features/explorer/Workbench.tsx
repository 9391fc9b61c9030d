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
 * GraphiQL itself, version 4: the 5th has Monaco for an editor, some megabytes and workers, and the 3rd knows no React 19.
 * What it writes to storage goes nowhere, and it asks nobody for the schema.
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
      // The one header is the access token, and that is the session's.
      isHeadersEditorEnabled={false}
      shouldPersistHeaders={false}
      defaultQuery={t('firstQuery')}
    >
      <GraphiQL.Logo>{null}</GraphiQL.Logo>
    </GraphiQL>
  )
}
