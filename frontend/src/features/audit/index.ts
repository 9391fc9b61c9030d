export { AuditPage } from './AuditPage'
