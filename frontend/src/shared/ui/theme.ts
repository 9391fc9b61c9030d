import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, rgba } from '@mantine/core'

const radius = 8

/** Near-black surfaces instead of Mantine's greys. */
const dark: MantineColorsTuple = [
  '#e4e5e9',
  '#c3c5cc',
  '#a3a6b0',
  '#70737d',
  '#34363d',
  '#2b2d33',
  '#24262b',
  '#1b1c21',
  '#141519',
  '#0f1013',
]

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  colors: { dark },
  defaultRadius: radius,
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '8px', xl: '8px' },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
      h4: { fontSize: '14px', lineHeight: '20px' },
      h5: { fontSize: '13px', lineHeight: '20px' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    SegmentedControl: { defaultProps: { transitionDuration: 100 } },
    Collapse: { defaultProps: { transitionDuration: 120 } },
    Burger: { defaultProps: { transitionDuration: 120 } },
    Select: { defaultProps: { size: 'sm', allowDeselect: false } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500, size: 'md' } },
    Tooltip: { defaultProps: { transitionProps: { duration: 100 }, openDelay: 200 } },
    Modal: {
      defaultProps: {
        centered: true,
        radius,
        transitionProps: { duration: 120 },
        overlayProps: { backgroundOpacity: 0.45 },
      },
    },
    Drawer: { defaultProps: { transitionProps: { duration: 150 }, overlayProps: { backgroundOpacity: 0.45 } } },
    Menu: {
      defaultProps: {
        transitionProps: { duration: 100 },
        position: 'bottom-end',
        width: 220,
        withInitialFocusPlaceholder: false,
      },
    },
    Table: { defaultProps: { fz: 'sm', verticalSpacing: 'xs', horizontalSpacing: 'md' } },
    Alert: { defaultProps: { radius } },
    Paper: { defaultProps: { withBorder: true, radius } },
    Anchor: { defaultProps: { underline: 'hover' } },
  },
})

const tinted = ['indigo', 'blue', 'green', 'teal', 'yellow', 'orange', 'red', 'gray'] as const

/** Text on a light tint of a colour, with a contrast of 4.5:1 in both schemes. */
const tintedText: Record<(typeof tinted)[number], [light: string, dark: string]> = {
  indigo: ['#364fc7', '#bac8ff'],
  blue: ['#1257a0', '#a5d8ff'],
  green: ['#1e6b2e', '#b2f2bb'],
  teal: ['#066649', '#96f2d7'],
  yellow: ['#7a4a00', '#ffe066'],
  orange: ['#8f3a06', '#ffd8a8'],
  red: ['#a61e1e', '#ffc9c9'],
  gray: ['#3f444a', '#ced4da'],
}

/** Replaces Mantine's colours that miss WCAG AA, and adds the panel's own variables. */
export const cssVariablesResolver: CSSVariablesResolver = (resolved) => {
  const light: Record<string, string> = {
    '--mantine-color-dimmed': resolved.colors.gray[7],
    '--mantine-color-placeholder': '#6a7077',
    '--mantine-color-error': resolved.colors.red[9],
    '--mantine-color-anchor': resolved.colors.indigo[8],
    '--mantine-color-red-text': resolved.colors.red[9],
    '--mantine-color-gray-text': resolved.colors.gray[7],
    '--panel-input-border': '#878d94',
    '--panel-surface': resolved.colors.gray[0],
    '--panel-success': '#1e6b2e',
    '--panel-warning': '#7a4a00',
    // Data colours that colour-blind readers can tell apart (Okabe and Ito), as bright as each theme needs.
    '--panel-data-1': '#0072b2',
    '--panel-data-2': '#c05600',
    '--panel-data-3': '#007d5a',
  }
  const darkScheme: Record<string, string> = {
    '--mantine-color-body': resolved.colors.dark[8],
    '--mantine-color-text': resolved.colors.dark[0],
    '--mantine-color-default-border': resolved.colors.dark[4],
    '--mantine-color-dimmed': resolved.colors.dark[2],
    '--mantine-color-placeholder': '#8f929c',
    '--mantine-color-error': resolved.colors.red[4],
    '--mantine-color-anchor': resolved.colors.indigo[3],
    '--mantine-color-red-text': resolved.colors.red[4],
    '--mantine-color-gray-text': resolved.colors.gray[5],
    '--panel-input-border': '#70737d',
    '--panel-surface': resolved.colors.dark[7],
    '--panel-success': '#b2f2bb',
    '--panel-warning': '#ffe066',
    '--panel-data-1': '#56b4e9',
    '--panel-data-2': '#e69f00',
    '--panel-data-3': '#2fc79b',
  }
  for (const color of tinted) {
    const shades = resolved.colors[color]
    // The tint is barely visible; the border and the words carry the meaning.
    light[`--mantine-color-${color}-light`] = color === 'gray' ? shades[1] : shades[0]
    light[`--mantine-color-${color}-light-hover`] = color === 'gray' ? shades[2] : shades[1]
    darkScheme[`--mantine-color-${color}-light`] = rgba(shades[4], 0.14)
    darkScheme[`--mantine-color-${color}-light-hover`] = rgba(shades[4], 0.2)
    light[`--mantine-color-${color}-light-color`] = tintedText[color][0]
    darkScheme[`--mantine-color-${color}-light-color`] = tintedText[color][1]
  }
  return { variables: { '--panel-header': '48px', '--panel-nav': '220px' }, light, dark: darkScheme }
}
