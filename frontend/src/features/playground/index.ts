export { Workbench } from './Workbench'
