using MqttCheck.Logs;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>
/// Makes runs with several workers: client i is at worker i mod n, with the choices that it would make in one process.
/// All begin at one time. A run that loses a worker ends, and is invalid; the next one is made with those that are
/// left.
/// </summary>
/// <param name="workers">The workers.</param>
internal sealed class SharedFleetRunner(IPartRunner workers) : IFleetRunner
{
    /// <inheritdoc/>
    /// <exception cref="IOException">No worker is there any more.</exception>
    public FleetRunResult Run(
        FleetSetup setup,
        IExchangeSink sink,
        IProgress<FleetProgress>? progress,
        CancellationToken cancellation,
        CancellationToken abort
    )
    {
        InputException.ThrowIfAny(setup.Validate());
        return FleetSignals.Run(
            setup,
            sink,
            kept => Task.Run(() => RunAsync(setup, kept, progress, cancellation, abort)).GetAwaiter().GetResult()
        );
    }

    private async Task<FleetRunResult> RunAsync(
        FleetSetup setup,
        IExchangeSink sink,
        IProgress<FleetProgress>? progress,
        CancellationToken cancellation,
        CancellationToken abort
    )
    {
        try
        {
            await using var crew = await Crews.PrepareAsync(
                workers,
                [setup.Endpoint, .. setup.Nodes],
                FleetPart.Kind,
                setup.Clients,
                (part, parts) => PartFields.Describe(new FleetPartDescription(setup, new(part, parts))),
                cancellation
            );
            return await new SharedRun(setup, crew, sink, progress).RunAsync(cancellation, abort);
        }
        catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
        {
            return SharedRun.Nothing(setup);
        }
    }
}
