import { Anchor, type AnchorProps, Button, type ButtonProps, UnstyledButton } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'

type Native<Props> = Props & Omit<ComponentProps<'a'>, keyof Props>

/** Mantine's links with the router's typed `to`, `params` and `search`. */
export const AppLink = createLink((props: Native<AnchorProps>) => <Anchor {...props} />)

export const ButtonLink = createLink((props: Native<ButtonProps>) => <Button component="a" {...props} />)

type NavItemProps = { label: string; leftSection?: ReactNode; active?: boolean }

/** A place of a navigation. Mantine's NavLink brings the code of folding lists. */
export const NavItemLink = createLink(({ label, leftSection, active, className, ...props }: Native<NavItemProps>) => (
  <UnstyledButton component="a" className={`panel-nav-link ${className ?? ''}`} mod={{ active }} {...props}>
    {leftSection}
    <span className="panel-nav-name">{label}</span>
  </UnstyledButton>
))

/** The link of a table row, in its first cell. The row has the class `panel-row`, other controls `panel-row-control`. */
export const RowLink = createLink(({ className, ...props }: Native<AnchorProps>) => (
  <Anchor c="var(--text)" fw={500} className={`panel-row-link panel-user-text ${className ?? ''}`} {...props} />
))
