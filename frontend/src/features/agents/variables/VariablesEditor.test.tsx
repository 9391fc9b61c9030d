import { useForm } from '@mantine/form'
import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderInPanel } from '@/shared/testing/render'
import type { AgentValues } from '../agentValues'
import { Undeclared } from './Undeclared'
import { VariablesEditor } from './VariablesEditor'

const variables = Array.from({ length: 31 }, (_, at) => ({
  name: `v${at}`,
  description: '',
  required: true,
  defaultValue: '',
}))

// Renders the editor alone: queries are slow in a page with this many fields.
function Editor() {
  const form = useForm({ initialValues: { instructions: '{{a}} {{b}}', variables } as AgentValues })
  return (
    <>
      <Undeclared form={form} onDeclared={() => undefined} />
      <VariablesEditor form={form} />
    </>
  )
}

test('no more than 32 can be added', () => {
  renderInPanel(<Editor />)
  const hint = (name: string) => document.querySelector(`button[aria-label="Declare ${name}"]`)
  expect(screen.queryByText('Limit reached: 32 variables per agent.')).toBeNull()
  expect(hint('b')).not.toBeNull()
  fireEvent.click(hint('a') as Element)
  expect(screen.getByText('Limit reached: 32 variables per agent.')).toBeTruthy()
  expect(hint('b')).toBeNull()
  expect(screen.getByText('Add variable').closest('button')).toHaveProperty('disabled', true)
})
