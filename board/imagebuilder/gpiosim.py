"""The kernel module gpio-sim for the system tests: lines of a GPIO chip that a test moves. The image does not
contain it."""

from __future__ import annotations

from .kernelmodule import ModuleSource

# gpio-sim uses irq_sim, which Debian's kernel leaves out too. The two are one module here. The kernel exports irq_to_desc
# to no module, and the functions in its place give the same.
GPIO_SIM = ModuleSource(
    "gpio-sim",
    {"gpio_sim_main.c": "drivers/gpio/gpio-sim.c", "irq_sim.c": "kernel/irq/irq_sim.c"},
    "obj-m := gpio-sim.o\ngpio-sim-y := gpio_sim_main.o irq_sim.o\n",
    ("irq_to_desc(irqnum)", "irq_data_to_desc(irq_get_irq_data(irqnum))"),
)
