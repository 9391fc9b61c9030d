package store_test

import ()

// seededHash is the password hash of storetest's accounts.
const seededHash = "none"
