#pragma once
// One module for both: Pango's header includes Cairo's. With two modules, Swift would import
// Cairo's types twice as different types.
#include <pango/pangocairo.h>
