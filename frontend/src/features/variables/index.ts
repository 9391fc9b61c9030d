export { namePattern, namesIn, placeholder, type Variable } from './names'
