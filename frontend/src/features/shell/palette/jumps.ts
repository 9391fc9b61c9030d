import {
  IconAlertTriangle,
  IconBell,
  IconBook,
  IconCode,
  IconCoins,
  IconDatabase,
  IconGauge,
  IconHistory,
  IconKey,
  IconKeyboard,
  IconListDetails,
  IconLock,
  IconPlus,
  IconSettings,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react'
import { linkOptions } from '@tanstack/react-router'

/** The pages within the places, which the palette leads to as well. Those with `least` are offered to that role and higher ones, as in the navigation. */
export const subPages = [
  { id: 'requests', link: linkOptions({ to: '/activity/requests' }), Icon: IconListDetails },
  { id: 'people', link: linkOptions({ to: '/activity/people' }), Icon: IconUsers },
  { id: 'credits', link: linkOptions({ to: '/usage/credits' }), Icon: IconCoins },
  { id: 'reference', link: linkOptions({ to: '/developers' }), Icon: IconBook },
  { id: 'graphql', link: linkOptions({ to: '/developers/graphql' }), Icon: IconCode },
  { id: 'security', link: linkOptions({ to: '/settings/security' }), Icon: IconLock },
  { id: 'general', link: linkOptions({ to: '/settings/general' }), Icon: IconSettings },
  { id: 'members', link: linkOptions({ to: '/settings/members' }), Icon: IconUsersGroup },
  { id: 'tokens', link: linkOptions({ to: '/settings/tokens' }), Icon: IconKey, least: 'OWNER' },
  { id: 'notifications', link: linkOptions({ to: '/settings/notifications' }), Icon: IconBell },
  { id: 'webhooks', link: linkOptions({ to: '/settings/webhooks' }), Icon: IconWebhook, least: 'EDITOR' },
  { id: 'audit', link: linkOptions({ to: '/settings/audit' }), Icon: IconHistory, least: 'OWNER' },
  { id: 'data', link: linkOptions({ to: '/settings/data' }), Icon: IconDatabase, least: 'OWNER' },
] as const

/** What the palette does at once; one without a link shows the keys. */
export const actions = [
  { id: 'newAgent', link: linkOptions({ to: '/agents', search: { create: true } }), Icon: IconPlus },
  {
    id: 'failed',
    link: linkOptions({ to: '/activity/requests', search: { outcome: 'FAILED' } }),
    Icon: IconAlertTriangle,
  },
  { id: 'near', link: linkOptions({ to: '/exports', search: { near: true } }), Icon: IconGauge },
  { id: 'keys', link: undefined, Icon: IconKeyboard },
] as const
