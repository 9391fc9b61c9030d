import { Anchor, Box, Center, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Brand, usePageTitle } from '@/shared/ui'

type Props = {
  title: string
  /** Under the product's name. */
  tagline?: string
  children: ReactNode
  foot: ReactNode
  /** For more than a form. */
  wide?: boolean
}

/** The layout of the pages that stand before the panel. */
export function AuthPage({ title, tagline, children, foot, wide = false }: Props) {
  usePageTitle(title)
  return (
    <Center mih="100dvh" p="md" component="main" id="content">
      <Box w="100%" maw={wide ? 560 : 380}>
        <Text ta="center" mb="md" size="lg">
          <Brand />
        </Text>
        {tagline && (
          <Text ta="center" mt={-8} mb="md" c="dimmed">
            {tagline}
          </Text>
        )}
        <Paper p="lg">
          <Stack gap="md">
            <Title order={1}>{title}</Title>
            {children}
          </Stack>
        </Paper>
        <Stack gap={4} mt="md" align="center" ta="center">
          {foot}
        </Stack>
      </Box>
    </Center>
  )
}

/** A text from the operator, as a link if it is an https URL. */
export function OperatorText({ text }: { text: string }) {
  if (!/^https:\/\/\S+$/.test(text)) return <span className="panel-user-text">{text}</span>
  return (
    <Anchor
      href={text}
      target="_blank"
      rel="noreferrer noopener"
      className="panel-user-text"
      inherit
      underline="always"
    >
      {text}
    </Anchor>
  )
}
