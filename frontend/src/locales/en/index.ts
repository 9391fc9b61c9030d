import common from './common.json'
import shell from './shell.json'

/** The strings that every page needs. Other namespaces are loaded with the page that uses them. */
export const bundled = { common, shell }

/** The loaders of all namespaces: one file per feature. */
export const loaders = import.meta.glob<{ default: Record<string, unknown> }>('./*.json')
