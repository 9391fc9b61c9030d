import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How a program of one of the panel's languages is run, and how one sees whether this machine can; where it may not, what to install. */
export type Runtime = { label: string; probe: string[]; file: string; command: string[]; install?: string }

export const runtimes: Runtime[] = [
  { label: 'cURL', probe: ['curl', '--version'], file: 'chat.sh', command: ['bash'] },
  { label: 'Python', probe: ['python3', '--version'], file: 'chat.py', command: ['python3'], install: 'python3' },
  { label: 'JavaScript', probe: ['node', '--version'], file: 'chat.js', command: ['node'] },
  { label: 'Go', probe: ['go', 'version'], file: 'main.go', command: ['go', 'run'] },
  {
    label: 'PHP',
    probe: ['php', '-r', 'curl_init();'],
    file: 'chat.php',
    command: ['php'],
    install: 'php-cli and php-curl',
  },
]

/** Why it is not run here; undefined when it is, as everything that the project itself needs. */
export function missing({ label, probe: [program = '', ...given], install }: Runtime): string | undefined {
  if (!install || spawnSync(program, given).status === 0) return undefined
  return `The program in ${label} is not tried: install ${install}`
}

export type Outcome = { code: number | null; output: string; errors: string }

/** Runs a program as it was copied, in a folder of its own, with the key where its user would have put it. */
export async function run(runtime: Runtime, program: string, apiKey: string): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'agentchat-snippet-'))
  const file = join(folder, runtime.file)
  writeFileSync(file, program)
  const [command = '', ...given] = runtime.command
  try {
    const child = spawn(command, [...given, file], {
      cwd: folder,
      env: { ...process.env, AGENTCHAT_API_KEY: apiKey },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const outcome: Outcome = { code: null, output: '', errors: '' }
    child.stdout.on('data', (chunk: Buffer) => (outcome.output += chunk))
    child.stderr.on('data', (chunk: Buffer) => (outcome.errors += chunk))
    outcome.code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
    return outcome
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
