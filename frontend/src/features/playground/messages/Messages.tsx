import { Box, Button } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../Playground.module.css'
import type { useFollow } from './useFollow'

/** The messages in a box that follows its end, with a way back there. */
export function Messages({ follow, children }: { follow: ReturnType<typeof useFollow>; children: ReactNode }) {
  const { t } = useTranslation('playground')
  const { box, content, away, jump, onScroll, onKeyDown } = follow
  return (
    <div className={classes.stage}>
      <Box
        ref={box}
        className={classes.messages}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        role="log"
        aria-label={t('messages')}
        tabIndex={0}
      >
        <div ref={content}>{children}</div>
      </Box>
      {away && (
        <Button
          className={classes.jump}
          size="xs"
          variant="default"
          leftSection={<IconArrowDown size={16} aria-hidden />}
          onClick={() => {
            jump()
            box.current?.focus({ preventScroll: true }) // the button disappears, and the focus with it
          }}
        >
          {t('jump')}
        </Button>
      )}
    </div>
  )
}
