using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Brokers.Loads.Parts;

/// <summary>
/// Makes runs of loads with several workers, which begin at one time. A run that loses a worker ends, and is invalid;
/// the next one is made with those that are left.
/// </summary>
/// <param name="workers">The workers.</param>
internal sealed class SharedLoadRunner(IPartRunner workers) : ILoadRunner
{
    /// <inheritdoc/>
    /// <remarks>The workers themselves report the limits of their machines.</remarks>
    public void Require(LoadSetup setup)
    {
        InputException.ThrowIfAny(setup.Workload.Validate());
        LoadDivision.Require(setup);
        Crews.Require([setup.Endpoint], workers.Workers);
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">No worker is there any more.</exception>
    public LoadResult Run(
        LoadSetup setup,
        ILoadSink? sink,
        TimeProvider time,
        IProgress<LoadProgress>? progress,
        CancellationToken cancellation,
        CancellationToken abort
    )
    {
        if (sink is not null)
            throw new InputException("--log: given with --workers; allowed: without, as messages stay at the workers.");
        Require(setup);
        return Task.Run(() => RunAsync(setup, progress, cancellation, abort)).GetAwaiter().GetResult();
    }

    private async Task<LoadResult> RunAsync(
        LoadSetup setup,
        IProgress<LoadProgress>? progress,
        CancellationToken cancellation,
        CancellationToken abort
    )
    {
        await using var crew = await Crews.PrepareAsync(
            workers,
            [setup.Endpoint],
            SharedLoadPart.Kind,
            LoadDivision.Most(setup),
            (part, parts) =>
            {
                var own = LoadDivision.Part(setup, part, parts);
                return PartFields.Describe(new LoadPartDescription(own, own.Workload.MessagesPerSecond));
            },
            cancellation
        );
        return await new SharedLoad(setup, crew, progress).RunAsync(cancellation, abort);
    }
}
