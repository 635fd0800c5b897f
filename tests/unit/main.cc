// The unit tests' program. doctest's summary is what tests/run.mjs reads.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "doctest/doctest.h"
