import { VisuallyHidden } from '@mantine/core'
import { type ComponentProps, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { indent, MarkdownText, PlainText } from '@/shared/markdown'
import classes from '../Playground.module.css'

type Props = {
  text: string
  /** On the side of who asks: as it was typed. */
  asked?: boolean
  /** Exactly as it was sent. */
  raw?: boolean
  json?: boolean
  /** What a number in brackets leads to. */
  cite?: ComponentProps<typeof MarkdownText>['cite']
}

/** A message or a reply in its box. */
export function Bubble({ text, asked = false, raw = false, json = false, cite }: Props) {
  const { t } = useTranslation('playground')
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" aria-labelledby={id} className={asked ? `${classes.bubble} ${classes.asked}` : classes.bubble}>
      <VisuallyHidden id={id}>{t(asked ? 'you' : 'agent')}</VisuallyHidden>
      {asked || raw || json ? (
        <PlainText text={json && !raw ? indent(text) : text} exact={raw || json} />
      ) : (
        <MarkdownText text={text} blockLabel={t('block')} lineBreaks cite={cite} />
      )}
    </div>
  )
}
