// The package has no types that TypeScript finds by itself.
declare module 'apollo-upload-client/UploadHttpLink.mjs' {
  import type { HttpLink } from '@apollo/client'
  const UploadHttpLink: typeof HttpLink
  export default UploadHttpLink
}
