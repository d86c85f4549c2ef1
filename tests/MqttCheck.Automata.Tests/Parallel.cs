// Nothing here waits for a clock or shares the machine with a broker, so fixtures may run beside each other.
[assembly: Parallelizable(ParallelScope.Fixtures)]
