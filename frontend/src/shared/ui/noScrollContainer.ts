/**
 * Takes the place of a part of Mantine's table, see vite.config.ts. Through it, every table would load all that draws scroll bars and
 * places floating boxes, some 20 KB. Our tables scroll in a TableScroll.
 */
export const TableScrollContainer = undefined
