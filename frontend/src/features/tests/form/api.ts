import type { ApiForm } from '@/shared/ui'
import type { CaseValues } from '../document'

export type CaseFormApi = ApiForm<CaseValues>['form']
