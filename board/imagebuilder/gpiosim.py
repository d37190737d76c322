"""The kernel module gpio-sim for the system tests: a GPIO chip whose lines a test sets. The image does not contain this
module."""

from __future__ import annotations

from .kernelmodule import ModuleSource

# gpio-sim uses irq_sim, which Debian's kernel leaves out too. gpio-sim and irq_sim are built as one module here. The
# kernel does not export irq_to_desc to modules. The two functions that replace it give the same result.
GPIO_SIM = ModuleSource(
    "gpio-sim",
    {"gpio_sim_main.c": "drivers/gpio/gpio-sim.c", "irq_sim.c": "kernel/irq/irq_sim.c"},
    "obj-m := gpio-sim.o\ngpio-sim-y := gpio_sim_main.o irq_sim.o\n",
    ("irq_to_desc(irqnum)", "irq_data_to_desc(irq_get_irq_data(irqnum))"),
)
