import { useTranslation } from 'react-i18next'
import { LongText, PlainText } from '@/shared/markdown'
import classes from './knowledge.module.css'
import { Place } from './Place'
import type { Given } from './passages'

/** The passages that a model was given with a message, each folded to where it is from; nothing for none. */
export function GivenPassages({ passages }: { passages: readonly Given[] }) {
  return passages.length > 0 && <Passages passages={passages} />
}

function Passages({ passages }: { passages: readonly Given[] }) {
  const { t } = useTranslation('knowledge')
  const characters = passages.reduce((sum, { text }) => sum + [...(text ?? '')].length, 0)
  return (
    <section aria-label={t('title')} className={classes.given}>
      <p className={`${classes.head} panel-numbers`}>
        {t('given', { count: passages.length })}
        {characters > 0 && ` · ${t('characters', { count: characters })}`}
      </p>
      {passages.map((passage) => (
        <details key={passage.n} className={classes.passage}>
          <summary>
            <span className={classes.number}>[{passage.n}]</span>{' '}
            <span className="panel-user-text">{passage.name}</span> <Place passage={passage} />
          </summary>
          {passage.text == null ? (
            <p className={classes.gone}>{t('givenDeleted')}</p>
          ) : (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
            <div role="group" aria-label={t('textOf', { n: passage.n })} className={classes.text}>
              <LongText text={passage.text}>{(shown) => <PlainText text={shown} />}</LongText>
            </div>
          )}
        </details>
      ))}
    </section>
  )
}
