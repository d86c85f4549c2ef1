using MqttCheck.Brokers.Loads.Logs;

namespace MqttCheck.Brokers.Loads;

/// <summary>Makes runs of loads in this process.</summary>
internal sealed class LocalLoadRunner : ILoadRunner
{
    private LocalLoadRunner() { }

    /// <summary>The only instance, which has no state.</summary>
    public static LocalLoadRunner Instance { get; } = new();

    /// <inheritdoc/>
    public void Require(LoadSetup setup) => InputException.ThrowIfAny(setup.Validate());

    /// <inheritdoc/>
    public LoadResult Run(
        LoadSetup setup,
        ILoadSink? sink,
        TimeProvider time,
        IProgress<LoadProgress>? progress,
        CancellationToken cancellation,
        CancellationToken abort
    ) => new LoadRun(setup, sink, time, progress).Run(cancellation, abort);
}
