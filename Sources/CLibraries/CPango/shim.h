#pragma once
// One module for both: Pango's header brings Cairo's, and types that two modules had would be two.
#include <pango/pangocairo.h>
