import { VisuallyHidden } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOpening } from '@/shared/navigation/opening'
import { placeOf } from '../pages'

const lateMs = 100

/** A bar at the top while another page is being opened, unless that is fast. */
export function Progress() {
  const { t } = useTranslation('shell')
  const loading = useRouterState({
    select: ({ isLoading, location, resolvedLocation }) =>
      isLoading && resolvedLocation && resolvedLocation.pathname !== location.pathname ? location.pathname : undefined,
  })
  const path = useOpening() ?? loading
  const [late, setLate] = useState<string>()
  const nameId = useId()
  useEffect(() => {
    const timer = setTimeout(setLate, lateMs, path)
    return () => clearTimeout(timer)
  }, [path])
  const shown = path !== undefined && path === late
  const place = shown && placeOf(path)
  return (
    <div aria-live="polite">
      {shown && (
        <>
          <div className="panel-progress" role="progressbar" aria-labelledby={nameId} />
          <VisuallyHidden id={nameId}>{t('progress', { place: place ? t(place.label) : path })}</VisuallyHidden>
        </>
      )}
    </div>
  )
}
