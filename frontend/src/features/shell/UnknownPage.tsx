import { useEffect, useState } from 'react'
import { session } from '@/shared/gql'
import { NotFound } from '@/shared/ui'
import { Shell } from './Shell'

/** Shown for addresses outside every page: with the navigation, if somebody is signed in. */
export function UnknownPage() {
  const [signedIn, setSignedIn] = useState(false)
  useEffect(() => {
    session.isSignedIn().then(setSignedIn, () => {})
  }, [])
  return (
    <Shell signedIn={signedIn}>
      <NotFound />
    </Shell>
  )
}
