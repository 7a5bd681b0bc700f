// balia as the only control of a subflow.
#include "balia.h"

COUPLED_CONTROL(balia);
