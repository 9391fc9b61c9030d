import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderInPanel } from '@/shared/testing/render'
import { Instructions } from './Instructions'

/** The instructions for an agent with these actions, from the field that appears if the browser cannot copy. */
async function instructions(actions?: { name: string }[]) {
  document.execCommand = () => false
  const { unmount } = renderInPanel(
    <Instructions agentName="Shop" variables={[]} actions={actions} withUserId={false} />,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Copy setup instructions' }))
  const { value } = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /setup instructions$/ })
  unmount()
  return value
}

test('the instructions for a developer explain the actions, if there are any', async () => {
  const text = await instructions([{ name: 'order_status' }, { name: 'open_ticket' }])
  expect(text).toContain('\nActions: order_status, open_ticket. When a reply lists some in "actions", run them')
  expect(text).toContain('instead of a message: "action_results": [{"id": "<its id>", "result": {}}].')
  expect(text).toMatch(/: http\S+\/developers#overview$/)
  expect(await instructions([])).not.toMatch(/action/i)
  expect(await instructions()).not.toMatch(/action/i)
})
