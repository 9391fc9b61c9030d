import aiSdk from '../programs/clients/ai-sdk.txt?raw'
import langchain from '../programs/clients/langchain.txt?raw'
import libreChat from '../programs/clients/librechat.txt?raw'
import openWebui from '../programs/clients/open-webui.txt?raw'
import openaiGo from '../programs/clients/openai-go.txt?raw'
import openaiNode from '../programs/clients/openai-node.txt?raw'
import openaiPython from '../programs/clients/openai-python.txt?raw'
import { type Called, type Grammar, keyVariable, sampled, sampleUser, section } from './snippets'

/** The input of a block: the addresses of the bridge and the service, and what the agent's callers must send. */
export type Given = Pick<Called, 'variables' | 'withUserId'> & { bridge: string; origin?: string }

/** Where the key is entered: an environment variable, the client's prompt, or a file. */
export type KeyPlace = 'variable' | 'asked' | 'file'

export type Client = {
  id: string
  /** The client's name, which is not translated. */
  label: string
  kind: 'libraries' | 'apps' | 'mcp'
  grammar: Grammar
  /** The file that the block belongs in. */
  file?: string
  key: KeyPlace
  /** Whether it sends the values of the agent's variables. */
  sendsVariables: boolean
  block: (given: Given) => string
}

const library = (id: string, label: string, grammar: Grammar, template: string, sendsVariables = true): Client => ({
  id,
  label,
  kind: 'libraries',
  grammar,
  key: 'variable',
  sendsVariables,
  block: (given) => fill(template, given),
})

const app = (id: string, label: string, file: string, template: string): Client => ({
  id,
  label,
  kind: 'apps',
  grammar: 'yaml',
  file,
  key: 'variable',
  sendsVariables: false,
  block: (given) => fill(template, given),
})

const mcp = (id: string, label: string, file: string, key: KeyPlace, settings: (given: Given) => object): Client => ({
  id,
  label,
  kind: 'mcp',
  grammar: 'json',
  file,
  key,
  sendsVariables: false,
  block: (given) => JSON.stringify(settings(given), null, 2),
})

/** The clients that reach the agent through the bridge. docs/bridge.md lists what each of them sends. */
export const clients: Client[] = [
  library('openai-python', 'OpenAI Python', 'python', openaiPython),
  library('openai-node', 'OpenAI Node.js', 'javascript', openaiNode),
  library('openai-go', 'OpenAI Go', 'go', openaiGo),
  library('langchain', 'LangChain', 'python', langchain),
  library('ai-sdk', 'AI SDK', 'javascript', aiSdk, false),
  app('open-webui', 'Open WebUI', 'compose.yaml', openWebui),
  app('librechat', 'LibreChat', 'librechat.yaml', libreChat),
  {
    id: 'claude-code',
    label: 'Claude Code',
    kind: 'mcp',
    grammar: 'bash',
    key: 'variable',
    sendsVariables: false,
    block: (given) =>
      // In single quotes: Claude Code reads the variable, so that no file holds the key.
      [
        `claude mcp add --scope project --transport http agentchat ${given.bridge}/mcp`,
        ...Object.entries(headers(given, `\${${keyVariable}}`)).map(([name, value]) => `--header '${name}: ${value}'`),
      ].join(' \\\n  '),
  },
  mcp('cursor', 'Cursor', '.cursor/mcp.json', 'variable', (given) => ({
    mcpServers: { agentchat: { url: `${given.bridge}/mcp`, headers: headers(given, `\${env:${keyVariable}}`) } },
  })),
  mcp('vs-code', 'VS Code', '.vscode/mcp.json', 'asked', (given) => ({
    inputs: [{ id: keyVariable, type: 'promptString', description: keyVariable, password: true }],
    servers: {
      agentchat: { type: 'http', url: `${given.bridge}/mcp`, headers: headers(given, `\${input:${keyVariable}}`) },
    },
  })),
  // Claude Desktop starts programs without the user's environment. `agentchat mcp` calls the service, not the bridge.
  mcp('claude-desktop', 'Claude Desktop', 'claude_desktop_config.json', 'file', (given) => ({
    mcpServers: {
      agentchat: {
        command: 'agentchat',
        args: ['mcp', ...(given.withUserId ? [`--user-id=${sampleUser}`] : [])],
        env: { AGENTCHAT_URL: given.origin ?? window.location.origin, [keyFileVariable]: '/path/to/key' },
      },
    },
  })),
]

/** The setting of `agentchat mcp` that names the file with the key. */
export const keyFileVariable = `${keyVariable}_FILE`

const headers = ({ withUserId }: Given, key: string) => ({
  Authorization: `Bearer ${key}`,
  ...(withUserId && { 'X-User-Id': sampleUser }),
})

/** Fills in a template. A section is kept if its part is not empty. */
function fill(template: string, { bridge, variables, withUserId }: Given): string {
  const values = sampled(variables).map((name) => `"${name}": "example"`)
  const parts = {
    BRIDGE: bridge,
    USER: withUserId ? sampleUser : '',
    VARIABLES: values.length > 0 ? `{${values.join(', ')}}` : '',
  }
  return Object.entries(parts).reduce(
    (text, [name, value]) =>
      text
        .replace(section(name, '#'), (_, lines: string) => (value ? lines : ''))
        .replace(section(name, '^'), (_, lines: string) => (value ? '' : lines))
        .replaceAll(`{{${name}}}`, () => value),
    template.trimEnd(),
  )
}
