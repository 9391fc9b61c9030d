import {
  ActionIcon,
  Button,
  Group,
  NumberInput,
  PasswordInput,
  Radio,
  SegmentedControl,
  Select,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { ChoiceFilter, FilterBar, FilterChip, NavItemLink, TypedFilter } from '@/shared/ui'
import { Part } from './Part'

const looks = [
  { children: 'Publish' },
  { variant: 'default', children: 'Cancel' },
  { variant: 'default', c: 'var(--bad)', children: 'Remove' },
  { color: 'red', children: 'Delete' },
  { variant: 'subtle', children: 'More' },
] as const

/** What can be pressed and typed in, in each state and size. */
export function Controls() {
  return (
    <>
      <Part name="Buttons">
        {(['sm', 'xs'] as const).map((size) => (
          <Group key={size} gap="xs">
            {looks.map((look) => (
              <Button key={look.children} size={size} {...look} />
            ))}
          </Group>
        ))}
        <Group gap="xs">
          <Button disabled>Disabled</Button>
          <Button variant="default" disabled>
            Disabled
          </Button>
          <Button loading>Loading</Button>
          <ActionIcon aria-label="Delete">
            <IconTrash size={16} />
          </ActionIcon>
          <Button data-focused>Focus</Button>
        </Group>
      </Part>
      <Part name="Filters">
        <FilterBar
          first={<TypedFilter label="Search" placeholder="Name" value="" apply={() => {}} isListSearch />}
          count={1}
          onClear={() => {}}
        >
          <ChoiceFilter label="State" data={['all', 'Live']} value="all" onChange={() => {}} />
          <FilterChip label="Failed" set={false} onChange={() => {}} />
          <FilterChip label="Blocked" set onChange={() => {}} />
        </FilterBar>
      </Part>
      <Part name="Fields">
        <TextInput label="Name" description="Only you see it." placeholder="Website" />
        <TextInput label="Filled" defaultValue="Web shop" />
        <TextInput label="Wrong" defaultValue="!" error="This is not a name." />
        <TextInput label="Disabled" defaultValue="Web shop" disabled />
        <PasswordInput label="Password" defaultValue="secret" />
        <NumberInput label="Number" defaultValue={600} />
        <Textarea label="Text" defaultValue={'Two\nlines'} autosize />
        <Select label="Choice" data={['Draft', 'Live']} defaultValue="Draft" />
        <TextInput size="xs" placeholder="In a bar" aria-label="In a bar" />
      </Part>
      <Part name="Choices">
        <SegmentedControl data={['All', 'Live', 'Draft']} w="fit-content" />
        <Radio label="One" defaultChecked />
        <Radio label="Other" />
        <Radio label="Unavailable" disabled />
        <Switch label="On" defaultChecked />
        <Switch label="Off" />
        <nav className="panel-tabs">
          <span className="panel-tab" aria-current="page">
            Build
          </span>
          <span className="panel-tab">Versions</span>
        </nav>
        <NavItemLink to="/" label="Current page" active />
        <NavItemLink to="/agents" label="Other page" />
      </Part>
    </>
  )
}
