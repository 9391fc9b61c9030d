import {
  IconChartBar,
  IconCode,
  IconHome,
  IconListDetails,
  IconMessages,
  IconPlugConnected,
  IconRobot,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react'

/** The pages of the navigation. */
export const pages = [
  { to: '/', label: 'home', Icon: IconHome, exact: true },
  { to: '/agents', label: 'agents', Icon: IconRobot, exact: false },
  { to: '/conversations', label: 'conversations', Icon: IconMessages, exact: false },
  { to: '/requests', label: 'requests', Icon: IconListDetails, exact: false },
  { to: '/people', label: 'people', Icon: IconUsers, exact: false },
  { to: '/usage', label: 'usage', Icon: IconChartBar, exact: false },
  { to: '/exports', label: 'exports', Icon: IconPlugConnected, exact: false },
  { to: '/api-docs', label: 'api', Icon: IconCode, exact: false },
  { to: '/settings', label: 'settings', Icon: IconSettings, exact: false },
] as const
