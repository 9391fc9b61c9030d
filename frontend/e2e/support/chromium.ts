import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Browser = {
  executablePath: string
  env: Record<string, string>
  args: string[]
  ignoreDefaultArgs: string[]
}

/** Another name of this machine, for the tests' browser only. */
export const otherHost = 'office.test'

/**
 * The browser of the tests: CHROMIUM_PATH, or the one inside the npm package, unpacked once per version and user. Nothing is
 * downloaded and no root rights are needed.
 */
export function findChromium(): Browser {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  // A part of a picture that is painted again on its own can differ from the whole by a shade at the edge of a letter.
  // By another host name than localhost, plain http is no secure context: as in an office without certificates.
  const args = ['--disable-partial-raster', `--host-resolver-rules=MAP ${otherHost} 127.0.0.1`]
  // Chromium's sandbox refuses to run as root.
  if (process.getuid?.() === 0) args.push('--no-sandbox')
  // Playwright keeps what the browser's processes share on disk, because containers often have little of this memory.
  const ignoreDefaultArgs = roomInMemory() ? ['--disable-dev-shm-usage'] : []
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (!existsSync(given)) throw new Error(`CHROMIUM_PATH names ${given}, which does not exist`)
    return { executablePath: given, env: inherited, args, ignoreDefaultArgs }
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The packaged Chromium is for Linux on x64: set CHROMIUM_PATH to a Chromium of this machine')
  }
  const home = unpacked()
  const libraries = [join(home, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  return {
    executablePath: join(home, 'chromium'),
    env: { ...inherited, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: join(home, 'fonts'), HOME: home },
    args: [...args, '--disable-gpu'],
    ignoreDefaultArgs,
  }
}

function roomInMemory(): boolean {
  const dir = '/dev/shm'
  if (!existsSync(dir)) return false
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize > 2 ** 30
}

function unpacked(): string {
  const manifest = new URL('../../node_modules/@sparticuz/chromium/package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  const home = join(tmpdir(), `agentchat-chromium-${version}-${process.getuid?.() ?? 0}`)
  if (existsSync(join(home, 'chromium'))) return home
  // Unpacked under another name, then renamed: a parallel run never sees half a browser.
  const staging = mkdtempSync(`${home}-`)
  execFileSync(process.execPath, [fileURLToPath(new URL('unpack.mjs', import.meta.url))], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, TMPDIR: staging },
    stdio: 'inherit',
  })
  // The packaged configuration looks for fonts in places of another machine; without any font the browser crashes.
  writeFileSync(join(staging, 'fonts', 'fonts.conf'), fontConfiguration(home))
  try {
    renameSync(staging, home)
  } catch (error) {
    rmSync(staging, { recursive: true, force: true })
    if (!existsSync(join(home, 'chromium'))) throw error
  }
  return home
}

const fontConfiguration = (home: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(home, 'fonts', 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(home, 'fonts-cache')}</cachedir>
</fontconfig>
`
