package turns_test

import ()
