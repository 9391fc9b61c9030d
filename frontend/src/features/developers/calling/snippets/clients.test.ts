import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { clients } from './clients'

const bridge = 'https://bridge.example.com'
const origin = 'https://chat.example.com'
const plain = { bridge, origin, variables: [], withUserId: false }
const full = { ...plain, variables: [{ name: 'order_id', required: true }], withUserId: true }

test.each(clients)('$label has its address and reads the key from $key', ({ id, block }) => {
  for (const given of [plain, full]) {
    const text = block(given)
    expect(text).toContain(id === 'claude-desktop' ? `"AGENTCHAT_URL": "${origin}"` : `${bridge}/`)
    expect(text).toContain('AGENTCHAT_API_KEY')
    expect(text).not.toMatch(/agc_|{{(?!LIBRECHAT_BODY_CONVERSATIONID}})/)
  }
})

test.each(clients)(
  '$label sends a user and variables only if the agent needs them',
  ({ id, block, sendsVariables }) => {
    expect(block(plain)).not.toMatch(/user-1|variables/)
    // The apps send their own users.
    const own = id === 'open-webui' || id === 'librechat'
    expect(block(full).includes('user-1')).toBe(!own)
    expect(block(full).includes('{"order_id": "example"}')).toBe(sendsVariables)
  },
)

test.each(clients)('$label is well-formed', ({ grammar, block }) => {
  for (const given of [plain, full]) {
    const text = block(given)
    if (grammar === 'json') JSON.parse(text)
    if (grammar === 'yaml') expect(parse(text)).toBeTypeOf('object')
    if (grammar === 'javascript') execFileSync('node', ['--input-type=module', '--check'], { input: text })
    if (grammar === 'go') execFileSync('gofmt', ['-e'], { input: text })
  }
})

test('Claude Code gets the name of the variable from a shell, not its value', () => {
  const command = clients.find(({ id }) => id === 'claude-code')?.block(full)
  const script = `claude() { printf '%s\\n' "$@"; }\n${command}`
  expect(execFileSync('sh', ['-c', script]).toString().split('\n')).toEqual([
    ...['mcp', 'add', '--scope', 'project', '--transport', 'http', 'agentchat', `${bridge}/mcp`],
    ...['--header', `Authorization: Bearer \${AGENTCHAT_API_KEY}`, '--header', 'X-User-Id: user-1', ''],
  ])
})
