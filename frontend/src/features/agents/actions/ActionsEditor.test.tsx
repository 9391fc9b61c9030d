import { useForm } from '@mantine/form'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { renderInPanel } from '@/shared/testing/render'
import type { AgentValues } from '../agentValues'
import { ActionsEditor } from './ActionsEditor'
import { actionsOf } from './actionValues'

afterEach(cleanup)

const action = (name: string, parameters = '{"type": "object"}') => ({ name, description: `Does ${name}`, parameters })

/** The editor without the page around it, with some actions. */
function show(...actions: ReturnType<typeof action>[]) {
  let form: ReturnType<typeof useForm<AgentValues>> | undefined
  function Editor() {
    form = useForm({ initialValues: { actions: actionsOf({ actions }) } as AgentValues })
    return <ActionsEditor form={form} />
  }
  renderInPanel(<Editor />)
  return () => form as NonNullable<typeof form>
}

const fold = (name: string) => screen.getByRole<HTMLDetailsElement>('group', { name })
function open(name: string) {
  const details = fold(name)
  details.open = true
  fireEvent(details, new Event('toggle'))
  return within(details)
}

test('no more than 16 can be added, and folded ones draw no fields', async () => {
  show(...Array.from({ length: 15 }, (_, at) => action(`a${at}`)))
  expect(screen.queryAllByRole('textbox')).toHaveLength(0)
  await userEvent.click(screen.getByRole('button', { name: 'Add action' }))
  expect(document.activeElement).toBe(within(fold('Action 16')).getByLabelText(/^Name/))
  expect(screen.getByText('Limit reached: 16 actions per agent.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Add action' })).toHaveProperty('disabled', true)
})

test('removing one leaves the others as they are, and the focus at hand', async () => {
  const form = show(action('first'), action('second'), action('third'))
  open('Action first')
  await userEvent.click(open('Action second').getByRole('button', { name: 'Remove action second' }))
  expect(form().values.actions.map(({ name }) => name)).toEqual(['first', 'third'])
  expect([fold('Action first').open, fold('Action third').open]).toEqual([true, false])
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add action' }))
})

test('a schema that the table cannot show has its editor, and can become a table once it is simpler', async () => {
  const form = show(action('pay', '{"type": "object", "properties": {"sum": {"type": "number", "minimum": 0}}}'))
  const fields = open('Action pay')
  expect(fields.getByRole('radio', { name: 'Table' })).toHaveProperty('disabled', true)
  expect(fields.getByText(/rules the table can’t show/)).toBeTruthy()
  const editor = fields.getByRole('textbox', { name: 'JSON Schema' })
  fireEvent.change(editor, { target: { value: '{"type": "object", "properties": {"sum": {"type": "number"}}}' } })
  await userEvent.click(fields.getByRole('radio', { name: 'Table' }))
  expect(within(fields.getByRole('group', { name: 'Argument sum' })).getByLabelText('Type')).toHaveProperty(
    'value',
    'number',
  )
  await userEvent.click(fields.getByLabelText('Required'))
  await userEvent.click(fields.getByRole('radio', { name: 'JSON Schema' }))
  expect(JSON.parse(form().values.actions[0]?.parameters ?? '')).toEqual({
    type: 'object',
    properties: { sum: { type: 'number' } },
    required: ['sum'],
  })
})
