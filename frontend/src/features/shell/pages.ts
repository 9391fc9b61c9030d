import {
  IconActivity,
  IconChartBar,
  IconCode,
  IconHome,
  IconPlugConnected,
  IconRobot,
  IconSettings,
} from '@tabler/icons-react'

/** The seven places: what is in each begins with `under`, and G then the key goes there. */
export const pages = [
  { to: '/', under: undefined, label: 'home', key: 'H', Icon: IconHome },
  { to: '/agents', under: '/agents', label: 'agents', key: 'A', Icon: IconRobot },
  { to: '/activity/conversations', under: '/activity/', label: 'activity', key: 'C', Icon: IconActivity },
  { to: '/exports', under: '/exports', label: 'exports', key: 'E', Icon: IconPlugConnected },
  { to: '/usage', under: '/usage', label: 'usage', key: 'U', Icon: IconChartBar },
  { to: '/developers', under: '/developers', label: 'developers', key: 'D', Icon: IconCode },
  { to: '/settings', under: '/settings', label: 'settings', key: 'S', Icon: IconSettings },
] as const

/** Whether an address is in a place. */
export const isIn = ({ under }: (typeof pages)[number], pathname: string) =>
  under === undefined ? pathname === '/' : pathname.startsWith(under)

/** The place that an address is in. */
export const placeOf = (pathname: string) => pages.find((page) => isIn(page, pathname))
