import { useTranslation } from 'react-i18next'
import type { ListedRun } from './queries'

/** What a run tests, in words: the draft or a version, and a model if another one answers. */
export function useTested() {
  const { t } = useTranslation('tests')
  return ({ version, model }: Pick<ListedRun, 'version' | 'model'>) => {
    const tested = version ? t('version', { number: version.number }) : t('draft')
    return model ? t('withModel', { tested, model }) : tested
  }
}
