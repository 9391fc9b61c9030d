import { Box, Group } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton, select } from '@/shared/ui'
import classes from './code.module.css'
import { endpoint, keyVariable } from './snippets'

/** Copies what a developer needs to know, without the key. If copying fails, the text is shown to copy by hand. */
export function Instructions({ agentName }: { agentName: string }) {
  const { t } = useTranslation('exports')
  const [failed, setFailed] = useState(false)
  const shown = useRef<HTMLElement>(null)
  useEffect(() => {
    if (failed && shown.current) select(shown.current)
  }, [failed])
  const text = t('instructions', {
    agent: agentName,
    endpoint: endpoint(),
    docs: `${window.location.origin}/api-docs`,
    variable: keyVariable,
  })
  return (
    <>
      <Group>
        <CopyButton value={text} label={t('copyInstructions')} shown={shown} onFailed={() => setFailed(true)} />
      </Group>
      {failed && (
        <Box
          component="section"
          ref={shown}
          className={classes.value}
          tabIndex={0}
          aria-label={t('instructionsTitle')}
          style={{ whiteSpace: 'pre-wrap' }}
        >
          {text}
        </Box>
      )}
    </>
  )
}
