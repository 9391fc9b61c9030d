import { Anchor, type AnchorProps, Button, type ButtonProps, NavLink, type NavLinkProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Native<Props> = Props & Omit<ComponentProps<'a'>, keyof Props>

/** Mantine's links with the router's typed `to`, `params` and `search`. */
export const AppLink = createLink((props: Native<AnchorProps>) => <Anchor {...props} />)

export const ButtonLink = createLink((props: Native<ButtonProps>) => <Button component="a" {...props} />)

export const NavItemLink = createLink((props: Native<NavLinkProps>) => <NavLink component="a" {...props} />)

/** The link of a table row, in its first cell. The row has the class `panel-row`, other controls `panel-row-control`. */
export const RowLink = createLink(({ className, ...props }: Native<AnchorProps>) => (
  <Anchor c="var(--text)" fw={500} className={`panel-row-link panel-user-text ${className ?? ''}`} {...props} />
))
