#pragma once
// This is one module for Pango and Cairo, because Pango's header includes Cairo's header. With two
// modules, Swift would import Cairo's types twice, as different types.
#include <pango/pangocairo.h>
