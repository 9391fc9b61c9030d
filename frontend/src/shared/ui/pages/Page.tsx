import { Box, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isolate } from '@/shared/i18n'

type Titles =
  /** The page's heading, and the browser tab's title unless `tabTitle` is another. */
  | { title: string; tabTitle?: string }
  /** A heading that is more than text. */
  | { title: ReactNode; tabTitle: string }

type Props = Titles & {
  /** Before and after the heading. */
  mark?: ReactNode
  beside?: ReactNode
  /** Next to the heading, or under it. */
  description?: ReactNode
  /** Buttons on the heading's right. */
  actions?: ReactNode
  /** Above the heading, for example a link back. */
  above?: ReactNode
  /** In place of all that, with a heading of its own. */
  head?: ReactNode
  /** For pages of forms. */
  narrow?: boolean
  children: ReactNode
}

/** The layout of every page: heading, actions, and content of at most 1200 px. */
export function Page(props: Props) {
  const { title, tabTitle, mark, beside, description, actions, above, head, narrow = false, children } = props
  usePageTitle(tabTitle ?? (title as string))
  return (
    <Box maw={narrow ? 720 : 1200} mx={narrow ? undefined : 'auto'} w="100%">
      {head ?? (
        <>
          {above}
          <div className="panel-pagehead">
            <div className="panel-heading">
              {mark}
              <Title order={1} className="panel-user-text">
                {title}
              </Title>
              {beside}
              {description && (
                <Text size="sm" c="dimmed">
                  {description}
                </Text>
              )}
            </div>
            {actions && <Group gap="xs">{actions}</Group>}
          </div>
        </>
      )}
      <Stack gap="md" mt={head ? 'md' : 'xs'}>
        {children}
      </Stack>
    </Box>
  )
}

/** Sets the browser tab's title. */
export function usePageTitle(title: string) {
  const { t } = useTranslation()
  useEffect(() => {
    document.title = `${isolate(title)} · ${t('product')}`
  }, [title, t])
}
