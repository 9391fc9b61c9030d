export { PlaygroundPage } from './PlaygroundPage'
export { Workbench } from './Workbench'
