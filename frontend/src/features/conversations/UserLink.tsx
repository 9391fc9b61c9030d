import { AppLink } from '@/shared/ui'

/** The ID of a user, which leads to their page. */
export const UserLink = ({ id, c }: { id: string; c?: string }) => (
  <AppLink to="/activity/people/person" search={{ id }} inherit c={c} translate="no" className="panel-user-text">
    {id}
  </AppLink>
)
