import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderInPanel } from '@/shared/testing/render'
import { answer } from '@/shared/testing/server'
import { clients } from './clients'
import { OtherClients } from './OtherClients'

const bridge = 'https://bridge.example.com'
const called = { variables: [{ name: 'order_id', required: true }], withUserId: false }

/** Shows the blocks on a service with or without a bridge. */
function open(bridgeUrl: string | null) {
  const supportContact = 'https://help.example.com'
  const usual = { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', mail: false }
  answer({ serviceInfo: { ...usual, supportContact, bridgeUrl } })
  renderInPanel(<OtherClients {...called} />)
}

async function choose(label: string) {
  await userEvent.click(await screen.findByRole('combobox', { name: 'Client' }))
  await userEvent.click(await screen.findByRole('option', { name: label }))
  return screen.findByRole('region', { name: `Settings for ${label}` })
}

test('a client has its block and the place of its key, and Copy copies the block', async () => {
  const user = userEvent.setup()
  open(bridge)
  await choose('VS Code')
  screen.getByText(/The client asks for the key/)
  await choose('Claude Desktop')
  screen.getByText(/Put its path into AGENTCHAT_API_KEY_FILE/)
  const { textContent } = await choose('LangChain')
  screen.getByText('Set $AGENTCHAT_API_KEY, then use this.')
  expect(textContent).toBe(clients.find(({ id }) => id === 'langchain')?.block({ bridge, ...called }))
  Object.defineProperty(window, 'isSecureContext', { configurable: true, value: true })
  await user.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await navigator.clipboard.readText()).toBe(textContent)
})

test('a client that cannot send the required variables says so', async () => {
  open(bridge)
  await choose('OpenAI Go')
  expect(screen.queryByText(/can’t send/)).toBeNull()
  await choose('Cursor')
  screen.getByText('This client can’t send the variables that the agent requires: order_id.')
})

test('without a bridge, the support contact is named', async () => {
  open(null)
  await screen.findByText(/^Other clients aren’t available on this service\./)
  screen.getByRole('link', { name: 'https://help.example.com' })
  expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull()
})
