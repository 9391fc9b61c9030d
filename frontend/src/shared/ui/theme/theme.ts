import {
  type ButtonProps,
  type CSSVariablesResolver,
  createTheme,
  type InputProps,
  type MantineColorsTuple,
} from '@mantine/core'

// Colours, shadows and sizes are in tokens.css; this file hands them to Mantine.

const radius = 'var(--r-box)'
const motion = { duration: 120 }

/** The greys of Mantine's dark scheme, from text to the page. */
const dark: MantineColorsTuple = [
  'var(--text)',
  'var(--text-2)',
  'var(--text-3)',
  'var(--line-control)',
  'var(--line-2)',
  'var(--surface-hover)',
  'var(--surface-2)',
  'var(--surface-1)',
  'var(--surface-0)',
  'var(--surface-inset)',
]

/** Controls are 32 px high, in bars 28. */
const button: Record<string, object> = {
  sm: { '--button-height': 'var(--h-control)', '--button-padding-x': 'var(--s3)' },
  xs: { '--button-height': 'var(--h-bar)', '--button-padding-x': 'var(--s2)', '--button-fz': '13px' },
}
const input: Record<string, object> = {
  sm: { '--input-size': 'var(--h-control)', '--input-height': 'var(--h-control)' },
  xs: { '--input-size': 'var(--h-bar)', '--input-height': 'var(--h-bar)', '--input-fz': '13px' },
}
const badge = { '--badge-height': '20px', '--badge-fz': '12px', '--badge-padding-x': '6px' }
const small = (part: string) => ({ [`--input-${part}-size`]: '12px' })

export const theme = createTheme({
  primaryColor: 'indigo',
  colors: { dark },
  defaultRadius: 'var(--r-control)',
  radius: {
    xs: 'var(--r-mark)',
    sm: 'var(--r-control)',
    md: radius,
    lg: radius,
    xl: '999px',
  },
  fontFamily: 'var(--font-ui)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '18px', xl: '26px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '32px' },
  spacing: { xs: 'var(--s2)', sm: 'var(--s3)', md: 'var(--s4)', lg: 'var(--s6)', xl: 'var(--s8)' },
  headings: {
    fontWeight: 'var(--w-strong)',
    sizes: {
      h1: { fontSize: '18px', lineHeight: '24px' },
      h2: { fontSize: '14px', lineHeight: '20px' },
      h3: { fontSize: '13px', lineHeight: '20px' },
      h4: { fontSize: '13px', lineHeight: '20px' },
      h5: { fontSize: '13px', lineHeight: '20px' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  components: {
    Button: {
      defaultProps: { size: 'sm' },
      vars: (_: unknown, { size }: ButtonProps) => ({ root: button[`${size}`] ?? {} }),
    },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Input: {
      vars: (_: unknown, { size, multiline }: InputProps) => ({ wrapper: multiline ? {} : (input[`${size}`] ?? {}) }),
    },
    InputWrapper: { vars: () => ({ label: {}, error: small('error'), description: small('description') }) },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    Checkbox: { defaultProps: { radius: 'xs' } },
    SegmentedControl: { defaultProps: { transitionDuration: motion.duration } },
    Collapse: { defaultProps: { transitionDuration: motion.duration } },
    Burger: { defaultProps: { transitionDuration: motion.duration } },
    Select: { defaultProps: { size: 'sm', allowDeselect: false } },
    Badge: {
      defaultProps: { variant: 'light', radius: 'xs', tt: 'none', fw: 400, size: 'lg' },
      vars: () => ({ root: badge }),
    },
    Code: { defaultProps: { translate: 'no' } },
    Tooltip: { defaultProps: { transitionProps: motion, openDelay: 200 } },
    Modal: { defaultProps: { centered: true, radius, transitionProps: motion } },
    Drawer: { defaultProps: { transitionProps: motion } },
    Menu: {
      defaultProps: {
        transitionProps: motion,
        position: 'bottom-end',
        width: 220,
        withInitialFocusPlaceholder: false,
      },
    },
    Alert: { defaultProps: { radius } },
    Paper: { defaultProps: { withBorder: true, radius } },
    Anchor: { defaultProps: { underline: 'hover' } },
  },
})

/** What Mantine's colours mean here: text, tint and fill. */
const meanings = {
  indigo: { text: 'accent-text', tint: 'accent-soft', fill: 'accent', over: 'accent-hover' },
  blue: { text: 'accent-text', tint: 'accent-soft', fill: 'accent', over: 'accent-hover' },
  green: { text: 'ok', tint: 'ok-soft', fill: 'ok', over: 'ok' },
  yellow: { text: 'warn', tint: 'warn-soft', fill: 'warn', over: 'warn' },
  orange: { text: 'warn', tint: 'warn-soft', fill: 'warn', over: 'warn' },
  red: { text: 'bad', tint: 'bad-soft', fill: 'bad-fill', over: 'bad-fill-hover' },
  gray: { text: 'text-2', tint: 'surface-inset', fill: 'text-3', over: 'text-2' },
}

const own: Record<string, string> = {
  body: 'surface-0',
  text: 'text',
  bright: 'text',
  dimmed: 'text-3',
  placeholder: 'text-3',
  anchor: 'accent-text',
  error: 'bad',
  default: 'surface-1',
  'default-hover': 'surface-hover',
  'default-color': 'text',
  'default-border': 'line-2',
  disabled: 'surface-inset',
  'disabled-color': 'text-3',
  'disabled-border': 'line',
}
for (const [name, { text, tint, fill, over }] of Object.entries(meanings)) {
  own[`${name}-text`] = text
  own[`${name}-outline`] = text
  own[`${name}-light`] = tint
  own[`${name}-light-hover`] = tint
  own[`${name}-light-color`] = text
  own[`${name}-filled`] = fill
  own[`${name}-filled-hover`] = over
}
const mapped = Object.fromEntries(
  Object.entries(own).map(([name, token]) => [`--mantine-color-${name}`, `var(--${token})`]),
)

/** Mantine's colour variables, as tokens. The tokens know the scheme. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: mapped, dark: mapped })
