import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderInPanel } from '@/shared/testing/render'
import { Instructions } from '../Instructions'
import { Snippets } from './Snippets'

const variables = [
  { name: 'tone', required: false },
  { name: 'order_id', required: true },
]

test('the first call comes first; programs send values for the required variables', async () => {
  renderInPanel(<Snippets variables={variables} withUserId={false} />)
  expect((await screen.findByRole('region', { name: 'First call command' })).textContent).toContain(
    `"variables": {"order_id": "example"}`,
  )
  await userEvent.click(screen.getByRole('radio', { name: 'Production' }))
  await userEvent.click(screen.getByRole('tab', { name: 'Python' }))
  expect((await screen.findByRole('region', { name: 'Program in Python' })).textContent).toContain(
    'chat("Hello!", "customer-42", {"order_id": "example"})',
  )
  await userEvent.click(screen.getByRole('radio', { name: 'Streaming' }))
  await userEvent.click(screen.getByRole('tab', { name: 'JavaScript' }))
  expect((await screen.findByRole('region', { name: 'Program in JavaScript' })).textContent).toContain(
    `variables: { order_id: 'example' }, stream: true`,
  )
})

test('the programs of an agent with actions have the loop; a stream says where it is described', async () => {
  renderInPanel(
    <Snippets variables={[]} actions={[{ name: 'order_status' }]} replySchema='{"type":"object"}' withUserId={false} />,
  )
  await userEvent.click(await screen.findByRole('radio', { name: 'Production' }))
  screen.getByText(/Add your code where each action is named/)
  await userEvent.click(screen.getByRole('tab', { name: 'Python' }))
  const { textContent } = await screen.findByRole('region', { name: 'Program in Python' })
  for (const part of ['"order_status": run_order_status', 'return reply["output"]']) expect(textContent).toContain(part)
  await userEvent.click(screen.getByRole('radio', { name: 'Streaming' }))
  screen.getByText(/Doesn’t run actions/)
})

/** The instructions, which are shown where a browser does not let them be copied. */
async function instructions(declared: typeof variables, withUserId = false) {
  document.execCommand = () => false
  const { unmount } = renderInPanel(<Instructions agentName="Shop" variables={declared} withUserId={withUserId} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Copy setup instructions' }))
  const { value } = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /setup instructions$/ })
  unmount()
  return value
}

test('the instructions for a developer name the variables, if there are any', async () => {
  expect(await instructions(variables)).toContain(
    'Variables: tone, order_id (required). Send their values in the body, for example "variables": {"order_id":"example"}.',
  )
  expect(await instructions([])).not.toContain('ariables')
})

test('the instructions for a developer ask for a user_id where it is needed', async () => {
  expect(await instructions(variables, true)).toContain(
    'Every message needs a user_id, which is your ID for the person writing. ' +
      'Send it in the body, for example "user_id": "user-1".\nVariables: tone',
  )
  expect(await instructions(variables)).not.toContain('user_id')
})
