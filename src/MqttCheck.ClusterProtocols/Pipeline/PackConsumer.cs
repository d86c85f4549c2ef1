namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>How far a broker is with the pack of one partition.</summary>
internal sealed class PackConsumer(LogPartition source)
{
    /// <summary>The partition.</summary>
    public LogPartition Source => source;

    /// <summary>The records at work.</summary>
    public IReadOnlyList<LogRecord> Pack { get; private set; } = [];

    /// <summary>The place behind them.</summary>
    public long Next { get; private set; }

    /// <summary>How many requests of the pack are not answered.</summary>
    public int Pending { get; set; }

    /// <summary>Whether one of them failed.</summary>
    public bool HasFailed { get; set; }

    /// <summary>How often the pack has been done again.</summary>
    public int Tries { get; set; }

    /// <summary>When it is done again; <see cref="long.MaxValue"/> for never.</summary>
    public long RetryAt { get; set; } = long.MaxValue;

    /// <summary>Requests to the store that wait for a free place.</summary>
    public Queue<(int Client, PipelineMessage[] Messages)> Waiting { get; } = new();

    /// <summary>How many requests the store has.</summary>
    public int InFlight { get; set; }

    /// <summary>Takes the next pack.</summary>
    public void Take(IReadOnlyList<LogRecord> pack, long next) => (Pack, Next, Tries) = (pack, next, 0);
}
