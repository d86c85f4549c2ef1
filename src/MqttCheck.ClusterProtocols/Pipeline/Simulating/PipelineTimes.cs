using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Pipeline.Simulating;

/// <summary>How long the parts of a simulated pipeline take.</summary>
internal sealed record PipelineTimes
{
    /// <summary>How long an append waits for others that go with it, in nanoseconds. Default 5 ms.</summary>
    public long LingerNanoseconds { get; init; } = 5_000_000;

    /// <summary>With how many records a batch goes at once, positive.</summary>
    public int BatchSize { get; init; } = 500;

    /// <summary>The log's own time for a batch, in milliseconds.</summary>
    public Law AppendMilliseconds { get; init; } = new ExponentialLaw(1);

    /// <summary>The log's own time to keep what is done, in milliseconds.</summary>
    public Law CommitMilliseconds { get; init; } = new ExponentialLaw(1);

    /// <summary>The store's own time for a request, in milliseconds. It works on one at a time.</summary>
    public Law StoreMilliseconds { get; init; } = new ExponentialLaw(0.05);

    /// <summary>The way from a broker to the log or to the store, in milliseconds.</summary>
    public Law WayMilliseconds { get; init; } = new ConstantLaw(0.1);

    /// <summary>The way from a client to its broker, in nanoseconds.</summary>
    public long ClientNanoseconds { get; init; } = 100_000;

    /// <summary>After what time a client connects again, in nanoseconds.</summary>
    public long ReturnNanoseconds { get; init; } = 20_000_000;

    /// <summary>The time between two outputs of a broker, in nanoseconds: a crash may come between them.</summary>
    public long StepNanoseconds { get; init; } = 1000;
}
