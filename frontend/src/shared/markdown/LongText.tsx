import { Button } from '@mantine/core'
import { type ReactNode, useContext, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { find } from './find'
import { SearchedFor } from './Marked'

/** Longer texts, in UTF-16 units, are truncated at first. */
const shownAtFirst = 4_000

type Props = { text: string; most?: number; children: (shown: string) => ReactNode }

/** A text of any length. Very long ones are truncated until the reader expands them, unless what was searched for is further on. */
export function LongText({ text, most = shownAtFirst, children }: Props) {
  const { t } = useTranslation('texts')
  const [whole, setWhole] = useState(false)
  const needle = useContext(SearchedFor)
  const hidesHit = useMemo(
    () => needle !== undefined && text.length > most * 1.25 && find(text, needle).some(({ end }) => end > most),
    [text, needle, most],
  )
  if (whole || hidesHit || text.length <= most * 1.25) return children(text)
  // Not between the halves of a surrogate pair.
  const cut = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
  return (
    <>
      {children(`${cut}…`)}
      <Button size="compact-sm" variant="default" mt={8} onClick={() => setWhole(true)}>
        {t('showWhole', { count: text.length, amount: formatNumber(text.length) })}
      </Button>
    </>
  )
}
