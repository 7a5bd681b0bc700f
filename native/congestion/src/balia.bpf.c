// balia as the only control of a subflow.
#include "balia.h"
#include "control.h"

COUPLED_CONTROL(balia);
