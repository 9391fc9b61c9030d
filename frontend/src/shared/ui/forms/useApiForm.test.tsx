import { TextInput } from '@mantine/core'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ApiError } from '@/shared/gql'
import { renderInPanel } from '@/shared/testing/render'
import { FormError } from './FormError'
import { useApiForm } from './useApiForm'

const schema = z.object({
  name: z.string().check(z.minLength(1, { error: () => 'This field is required.' })),
  note: z.string(),
})

function Form({ submit }: { submit: (values: { name: string; note: string }) => Promise<unknown> }) {
  const { form, onSubmit, error, clearError } = useApiForm({
    initialValues: { name: '', note: '' },
    schema,
    submit,
    fieldOf: { comment: 'note' },
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <TextInput label="Name" key={form.key('name')} {...form.getInputProps('name')} />
      <TextInput label="Note" key={form.key('note')} {...form.getInputProps('note')} />
      <FormError error={error} onClose={clearError} />
      <button type="submit">Save</button>
    </form>
  )
}

function Steps({ submit }: { submit: () => Promise<unknown> }) {
  const { form, onSubmit, error } = useApiForm({ initialValues: { steps: [{ name: '' }] }, submit })
  return (
    <form onSubmit={onSubmit}>
      <TextInput label="Step" {...form.getInputProps('steps.0.name')} />
      <FormError error={error} />
      <button type="submit">Save</button>
    </form>
  )
}

const refuse =
  (code: string, fields: { path: string; reason: string; message: string }[] = []) =>
  async () => {
    throw new ApiError(code, 'The service says why.', { requestId: 'req-7', fields })
  }

async function fillAndSave(submit: (values: { name: string; note: string }) => Promise<unknown>, name = 'Shop') {
  renderInPanel(<Form submit={submit} />)
  if (name) await userEvent.type(screen.getByLabelText('Name'), name)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
}

test('what the schema refuses is not sent, and its field has the focus', async () => {
  let sent = false
  await fillAndSave(async () => {
    sent = true
  }, '')
  expect(await screen.findByText('This field is required.')).toBeTruthy()
  expect(sent).toBe(false)
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
})

test('BAD_USER_INPUT is shown at all its fields, and the input stays', async () => {
  await fillAndSave(
    refuse('BAD_USER_INPUT', [
      { path: 'name', reason: 'taken', message: 'This name is taken.' },
      { path: 'comment', reason: 'too_long', message: 'This note is too long.' },
    ]),
  )
  await screen.findByText('This name is taken.')
  expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByLabelText('Note').getAttribute('aria-describedby')).toBe(
    screen.getByText('This note is too long.').id,
  )
  expect((screen.getByLabelText('Name') as HTMLInputElement).value).toBe('Shop')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('an error in a list is shown at its field, and one of nothing that is shown above the buttons', async () => {
  const refused = refuse('BAD_USER_INPUT', [
    { path: 'steps.0.name', reason: 'taken', message: 'This step is there.' },
    { path: 'steps.0', reason: 'invalid', message: 'No such step.' },
  ])
  renderInPanel(<Steps submit={refused} />)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('This step is there.')
  expect(document.activeElement).toBe(screen.getByLabelText('Step'))
  expect(screen.getByRole('alert').textContent).toContain('No such step.')
})

test('an error of an unknown field is shown above the buttons', async () => {
  await fillAndSave(refuse('BAD_USER_INPUT', [{ path: 'plan', reason: 'missing', message: 'Choose a plan.' }]))
  expect((await screen.findByRole('alert')).textContent).toContain('Choose a plan.')
})

test('a server error stays until it is closed and shows its request id', async () => {
  await fillAndSave(refuse('INTERNAL'))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('The service says why.')
  expect(alert.textContent).toContain('req-7')
  await userEvent.type(screen.getByLabelText('Note'), 'x')
  expect(screen.queryByRole('alert')).not.toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

test('a second click while the first is under way sends nothing', async () => {
  let sent = 0
  let finish = () => {}
  await fillAndSave(() => {
    sent++
    return new Promise<void>((resolve) => {
      finish = resolve
    })
  })
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(sent).toBe(1)
  finish()
})
