import { Anchor, type AnchorProps, Button, type ButtonProps, NavLink, type NavLinkProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Native<Props> = Props & Omit<ComponentProps<'a'>, keyof Props>

/** The kit's links as the router's: `to`, `params` and `search` are checked against the routes. */
export const AppLink = createLink((props: Native<AnchorProps>) => <Anchor {...props} />)

export const ButtonLink = createLink((props: Native<ButtonProps>) => <Button component="a" {...props} />)

export const NavItemLink = createLink((props: Native<NavLinkProps>) => <NavLink component="a" {...props} />)

/** The link of a table's row, in its first cell; the row has the class `panel-row`, other controls `panel-row-control`. */
export const RowLink = createLink(({ className, ...props }: Native<AnchorProps>) => (
  <Anchor
    c="var(--mantine-color-text)"
    fw={500}
    className={`panel-row-link panel-user-text ${className ?? ''}`}
    {...props}
  />
))
