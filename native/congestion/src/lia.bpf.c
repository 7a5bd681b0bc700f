// lia as the only control of a subflow.
#include "lia.h"
#include "control.h"

COUPLED_CONTROL(lia);
