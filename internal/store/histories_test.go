package store_test

import ()
