import { Alert, Box, Code, Group, SimpleGrid, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCoins } from '@tabler/icons-react'
import { StateBadge } from '@/features/agents'
import { ApiError } from '@/shared/gql'
import { RelativeTime } from '@/shared/time'
import {
  AgentMark,
  AppLink,
  ButtonLink,
  ChartShape,
  ChatShape,
  Credits,
  EmptyState,
  ErrorState,
  FiguresShape,
  FormError,
  FormShape,
  LoadingState,
  RowLink,
  Sparkline,
  StickyFoot,
  Table,
  TableScroll,
  TableShape,
} from '@/shared/ui'
import { Controls } from './Controls'
import { Part } from './Part'

const error = new ApiError('NETWORK', '', { requestId: 'req-1f2e3d4c' })
const version = { number: 3 }
/** One name of each hue. */
const marked = ['Store finder', 'Hotel', 'Order desk', '', 'Complaints', 'HR helpdesk', 'Booking', 'Returns']
const line = [4, 6, 9, 7, 12, 14, 11]
const lineBefore = [5, 5, 7, 8, 9, 10, 12]

/** Every part in every state, to be looked at: one of each, so that nobody makes a second. */
export function Parts() {
  return (
    <Box p="lg" maw={1248} component="main">
      <Title order={1} mb="md">
        Parts
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg">
        <Controls />
        <Part name="Text">
          <Text fz="xl" lh="32px" fw={600} className="panel-figure">
            <Credits value={182_400} />
          </Text>
          <Title order={1}>Title of 18</Title>
          <Title order={2}>Section of 14</Title>
          <Title order={3}>Group of 13</Title>
          <Text size="md">Reading, 14</Text>
          <Text size="sm">Tables and controls, 13</Text>
          <Text size="xs" c="dimmed">
            Labels and units, 12
          </Text>
          <Text size="sm">
            <AppLink to="/">A link</AppLink> <Code>agc_…mV2e</Code>
          </Text>
        </Part>
        <Part name="Surfaces">
          {['surface-0', 'surface-1', 'surface-2', 'surface-inset', 'surface-hover', 'surface-selected'].map((name) => (
            <Swatch key={name} name={name} />
          ))}
        </Part>
        <Part name="Data">
          {['data-1', 'data-2', 'data-3', 'data-4', 'data-5', 'data-other'].map((name) => (
            <Swatch key={name} name={name} />
          ))}
        </Part>
        <Part name="Agents and exports">
          <StateBadge agent={{ state: 'DRAFT', hasUnpublishedChanges: true }} />
          <StateBadge agent={{ state: 'LIVE', hasUnpublishedChanges: false, publishedVersion: version }} />
          <StateBadge agent={{ state: 'LIVE', hasUnpublishedChanges: true, publishedVersion: version }} />
          <StateBadge agent={{ state: 'DRAFT', hasUnpublishedChanges: true, publishedVersion: version }} />
        </Part>
        <Part name="Marks of agents">
          <Group gap="xs">
            {marked.map((name) => (
              <AgentMark key={name} name={name} />
            ))}
          </Group>
        </Part>
        <Part name="Small lines">
          <Sparkline now={line} before={lineBefore} />
          <Sparkline now={line} second={lineBefore} bad />
          <Sparkline now={[0, 0, 0]} />
        </Part>
        <Part name="Credit chip">
          {[undefined, 'low', 'none'].map((state) => (
            <ButtonLink
              key={state ?? 'enough'}
              to="/"
              size="xs"
              variant="default"
              w="fit-content"
              data-state={state}
              className="panel-credit-chip panel-numbers"
              leftSection={state ? <IconAlertTriangle size={16} /> : <IconCoins size={16} />}
            >
              {state === 'none' ? '0' : '17,270'}
              <Text span inherit fw={400} ml={8} className="panel-unit">
                2 days
              </Text>
            </ButtonLink>
          ))}
        </Part>
        <Part name="Notices">
          {['indigo', 'green', 'yellow', 'red', 'gray'].map((color) => (
            <Alert key={color} color={color} title="What happened" icon={<IconAlertTriangle />}>
              And what to do now.
            </Alert>
          ))}
          <FormError error={error} onClose={() => {}} />
        </Part>
        <Part name="Rows">
          <Rows />
        </Part>
        <Part name="Loading">
          <LoadingState>
            <TableShape rows={3} />
            <FormShape />
            <FiguresShape height={86} />
            <ChartShape height={120} />
            <ChatShape turns={1} />
          </LoadingState>
        </Part>
        <Part name="Empty">
          <EmptyState
            title="No conversations yet"
            text="They come with the first message."
            action={<ButtonLink to="/">Try the agent</ButtonLink>}
          />
        </Part>
        <Part name="Error">
          <ErrorState error={error} onRetry={() => {}} />
        </Part>
        <Part name="Foot of a drawer">
          <StickyFoot>
            <Text size="sm" c="dimmed">
              Its buttons stay in view.
            </Text>
          </StickyFoot>
        </Part>
      </SimpleGrid>
    </Box>
  )
}

function Swatch({ name }: { name: string }) {
  return (
    <Group gap="xs">
      <Box w={48} h={24} bg={`var(--${name})`} bd="1px solid var(--line-2)" />
      <Text size="sm">{name}</Text>
    </Group>
  )
}

function Rows() {
  return (
    <TableScroll label="Rows">
      <Table highlightOnHover className="panel-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th ta="right">Credits</Table.Th>
            <Table.Th>Last used</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {['order-48213', 'returns-2207', 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(2)].map(
            (name) => (
              <Table.Tr key={name} className="panel-row">
                <Table.Td data-at="title">
                  <RowLink to="/">{name}</RowLink>
                </Table.Td>
                <Table.Td data-at="end" ta="right">
                  <Credits value={1_234} bare />
                </Table.Td>
                <Table.Td data-at="sub">
                  <RelativeTime time={new Date(0).toISOString()} />
                </Table.Td>
              </Table.Tr>
            ),
          )}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}
