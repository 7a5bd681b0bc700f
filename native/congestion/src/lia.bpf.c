// lia as the only control of a subflow.
#include "lia.h"

COUPLED_CONTROL(lia);
