using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Brokers.Loads.Parts;

/// <summary>
/// Makes runs of loads with several workers, which begin at one time. A run that loses a worker ends, and is invalid;
/// the next one is made with those that are left.
/// </summary>
/// <param name="workers">The workers.</param>
public sealed class SharedLoadRunner(IPartRunner workers) : ILoadRunner
{
    private const int MostAttempts = 10;

    /// <inheritdoc/>
    /// <remarks>What the machines of the workers have not enough of, they say themselves.</remarks>
    public void Require(LoadSetup setup)
    {
        InputException.ThrowIfAny(setup.Workload.Validate());
        LoadDivision.Require(setup);
        SharedFleetRunner.Require([setup.Endpoint], workers.Workers);
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
        await using var crew = await PrepareAsync(setup, cancellation);
        return await new SharedLoad(setup, crew, progress).RunAsync(cancellation, abort);
    }

    // A worker that is lost before the run begins spoils nothing: the others have its clients.
    private async Task<IPartCrew> PrepareAsync(LoadSetup setup, CancellationToken cancellation)
    {
        for (var attempt = 1; ; attempt++)
        {
            var places = workers.Workers;
            if (places.Count == 0)
                throw new IOException(
                    "no worker is left; allowed: at least one. Start one with 'mqttcheck worker', and repeat the "
                        + "command."
                );
            SharedFleetRunner.Require([setup.Endpoint], places);
            var parts = Math.Min(places.Count, LoadDivision.Most(setup));
            try
            {
                return await workers.PrepareAsync(
                    SharedLoadPart.Kind,
                    [
                        .. Enumerable
                            .Range(0, parts)
                            .Select(part => LoadPartText.Write(LoadDivision.Part(setup, part, parts))),
                    ],
                    cancellation
                );
            }
            catch (PartLostException) when (attempt < MostAttempts) { }
        }
    }
}
