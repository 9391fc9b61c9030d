import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { beginningOf, formatNumber } from '@/shared/format'

/** Longer texts, in UTF-16 units, are truncated at first. */
const shownAtFirst = 4_000

type Props = { text: string; most?: number; children: (shown: string) => ReactNode }

/** A text of any length. Very long ones are truncated until the reader expands them. */
export function LongText({ text, most = shownAtFirst, children }: Props) {
  const { t } = useTranslation('texts')
  const [whole, setWhole] = useState(false)
  if (whole || text.length <= most * 1.25) return children(text)
  return (
    <>
      {children(beginningOf(text, most))}
      <Button size="compact-sm" variant="default" mt={8} onClick={() => setWhole(true)}>
        {t('showWhole', { count: text.length, amount: formatNumber(text.length) })}
      </Button>
    </>
  )
}
