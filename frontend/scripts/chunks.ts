/** Patterns of files below src, and of packages. */
const src = (pattern: string) => new RegExp(`[\\\\/]src[\\\\/](${pattern.replaceAll('/', '[\\\\/]')})`)
const packages = (pattern: string) => new RegExp(`[\\\\/]node_modules[\\\\/](${pattern.replaceAll('/', '[\\\\/]')})`)
/** The components of routes, which the build splits from the files that name the routes. */
const pages = (pattern: string) => `routes/(${pattern})\\.tsx\\?tsr-split`

const either =
  (...patterns: RegExp[]) =>
  (id: string) =>
    patterns.some((pattern) => pattern.test(id))

/** The pages that are opened first, as entries of the build. */
export const firstPages = {
  home: 'src/routes/_app/index.tsx?tsr-split=component',
  agents: 'src/routes/_app/agents/index.tsx?tsr-split=component',
}

const mantine = packages('@mantine/(?!charts)|@tabler|@floating-ui|clsx|react-remove-scroll')

/** The scripts of the build. Each has the modules that match and what these need, unless an earlier one has it. */
export const chunks = [
  {
    name: 'base',
    // Not @tanstack/react-virtual: only the explorer needs it.
    test: packages(
      '(react|react-dom|scheduler|@tanstack/(?!\\w*-?virtual)[\\w-]+|i18next|react-i18next|zod|use-sync-external-store' +
        '|eventsource-parser)/',
    ),
  },
  // What an entry needs. What the explorer shares with the panel must be here: in a script with the panel's entry, it would run that.
  { name: 'kit', tags: ['$initial' as const], test: either(mantine, src('shared/'), /virtual:strings.common/) },
  {
    name: 'shell',
    test: src(`main|features/(shell/palette/|credits/balance/(?!Balance))|${pages('_app/agents/index')}`),
  },
  { name: 'home', test: src(`features/home/|${pages('_app/index')}`) },
  {
    name: 'controls',
    test: either(
      mantine,
      src('shared/(?!markdown/Markdown\\.)|features/(shell|accounts|auth/May|requests/(failures|OutcomeBadge))'),
    ),
  },
  { name: 'versions', test: src('features/(versions|agents/(head|activity))/') },
  { name: 'activity', test: src(`features/(conversations|requests|people)/|${pages('_app/activity/.*')}`) },
  { name: 'docs', test: src(`features/developers/(?!.*Highlighted)|${pages('(_app/)?developers/.*')}`) },
  // Tests do not need a script of their own.
  {
    name: 'exports',
    test: src(
      `features/(exports/|tests/|agents/ChannelsPage)|${pages('_app/(exports/.*|agents/\\$id/(channels|tests))')}`,
    ),
  },
  {
    name: 'build',
    test: src(`features/(agents/(?!knowledge/(csv/|files/|[A-Z]))|playground/)|${pages('_app/agents/.*')}`),
  },
  { name: 'knowledge', test: src('features/agents/') },
  { name: 'usage', test: src(`features/(usage/(?!chart/(Bars|Lines))|credits/)|${pages('_app/usage/.*')}`) },
  { name: 'settings', test: src(`features/(settings|auth|members|secondFactor|webhooks|audit)/|${pages('.*')}`) },
  // Apart from the charts: together they would be too large for one script.
  {
    name: 'figures',
    test: packages('d3-|internmap|redux|@reduxjs|react-redux|immer|reselect|es-toolkit|decimal.js-light|eventemitter3'),
  },
  { name: 'charts', test: src('features/usage/chart/') },
  { name: 'texts', test: src('shared/markdown/|features/developers/') },
]
