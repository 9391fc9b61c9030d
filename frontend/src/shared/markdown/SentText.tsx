import { Button, VisuallyHidden } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '@/shared/ui'
import { indent } from './indent'
import { LongText } from './LongText'
import { MarkdownText } from './MarkdownText'
import { PlainText } from './PlainText'
import { partsOf } from './parts'
import classes from './Texts.module.css'

type Props = {
  text: string
  /** Whose it is or what it is, for screen readers. */
  name: string
  /** Reads the text as Markdown, whose boxes of code and tables have this name. */
  blockLabel?: string
  /** The text is JSON, which is indented until it is shown as it was sent. */
  json?: boolean
  /** The class of the text's box. */
  box?: string
  /** On the side of who asks. */
  asked?: boolean
  /** Shows a long text at once. */
  whole?: boolean
  /** Whether it is shown as it was sent. With it, the buttons are elsewhere. */
  exact?: boolean
  /** More buttons under the text. */
  actions?: ReactNode
  /** Remarks in the box, under the text. */
  children?: ReactNode
}

/** A message or reply, with buttons that show and copy exactly what was sent. */
export function SentText({
  text,
  name,
  blockLabel,
  json = false,
  box,
  asked = false,
  whole = false,
  exact: given,
  actions,
  children,
}: Props) {
  const { t } = useTranslation('texts')
  const nameId = useId()
  const [pressed, setPressed] = useState(false)
  const exact = given ?? pressed
  // By the whole text, so that its beginning has the same form.
  const parsed = useMemo(
    () => !json && blockLabel !== undefined && partsOf(text) !== undefined,
    [json, blockLabel, text],
  )
  const indented = useMemo(() => (json ? indent(text) : text), [json, text])
  const quiet = { size: 'compact-xs', variant: 'subtle', color: 'gray' }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" aria-labelledby={nameId} className={`${classes.sent} ${asked ? classes.asked : ''}`}>
      <div className={box}>
        <VisuallyHidden id={nameId}>{name}</VisuallyHidden>
        <LongText text={exact ? text : indented} most={whole ? Number.POSITIVE_INFINITY : undefined}>
          {(shown) =>
            parsed && !exact ? (
              <MarkdownText text={shown} blockLabel={blockLabel ?? ''} lineBreaks />
            ) : (
              <PlainText text={shown} exact={exact || json} />
            )
          }
        </LongText>
        {children}
      </div>
      {given === undefined && (
        <div className={classes.actions}>
          {actions}
          <Button
            {...quiet}
            leftSection={<IconCode size={14} aria-hidden />}
            aria-pressed={exact}
            onClick={() => setPressed(!exact)}
          >
            {t('asSent')}
          </Button>
          <CopyButton {...quiet} value={text} />
        </div>
      )}
    </div>
  )
}
