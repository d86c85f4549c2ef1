using MqttCheck.Logs;

namespace MqttCheck.Brokers.Fleets;

/// <summary>Makes runs in this process.</summary>
internal sealed class LocalFleetRunner : IFleetRunner
{
    private LocalFleetRunner() { }

    /// <summary>The only instance, which has no state.</summary>
    public static LocalFleetRunner Instance { get; } = new();

    /// <inheritdoc/>
    public FleetRunResult Run(
        FleetSetup setup,
        IExchangeSink sink,
        IProgress<FleetProgress>? progress,
        CancellationToken cancellation,
        CancellationToken abort
    ) => FleetSignals.Run(setup, sink, kept => new FleetRun(setup, kept, progress).Run(cancellation, abort));
}
