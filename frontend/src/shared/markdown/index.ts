export { MarkdownText } from './MarkdownText'
