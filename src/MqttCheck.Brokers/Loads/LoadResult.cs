using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Health;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Loads;

/// <summary>The result of a load, and how far it can be trusted.</summary>
internal sealed record LoadResult
{
    /// <summary>The workload of the run.</summary>
    public required Workload Workload { get; init; }

    /// <summary>The protocol spoken.</summary>
    public required ProtocolVersion Version { get; init; }

    /// <summary>The transport under MQTT.</summary>
    public required BrokerTransport Transport { get; init; }

    /// <summary>How long messages that count were sent: the time that throughput and processor time refer to.</summary>
    public required TimeSpan Window { get; init; }

    /// <summary>The counters of the run.</summary>
    public required LoadCounters Counters { get; init; }

    /// <summary>The measured durations.</summary>
    public required LoadTimes Times { get; init; }

    /// <summary>How busy and how late the generator was: whether the numbers can be used.</summary>
    public required RunHealth Health { get; init; }

    /// <summary>
    /// When the latencies of the messages that count became stationary, in seconds since the first message was due.
    /// </summary>
    public required WarmUp WarmUp { get; init; }

    /// <summary>Processor time of the generator's process, the writing of the log included.</summary>
    public required TimeSpan GeneratorProcessor { get; init; }

    /// <summary>Bytes that the generator's process allocated meanwhile.</summary>
    public required long AllocatedBytes { get; init; }

    /// <summary>Processor time of the broker's process, or null where it is not known.</summary>
    public required TimeSpan? BrokerProcessor { get; init; }

    /// <summary>Whether the run was cancelled.</summary>
    public required bool Interrupted { get; init; }

    /// <summary>Why the run ended early, or null.</summary>
    public required string? Failure { get; init; }

    /// <summary>Sessions that may be left on the broker.</summary>
    public required int SessionsLeft { get; init; }

    /// <summary>Other events, the first few in words: lost connections, forgotten sessions.</summary>
    public required IReadOnlyList<string> Notes { get; init; }

    /// <summary>Whether its numbers can be used, as the last line of a message log says it.</summary>
    public LoadVerdict Verdict =>
        Interrupted ? LoadVerdict.Interrupted
        : Failure is not null ? LoadVerdict.Failed
        : Health.IsValid ? LoadVerdict.Valid
        : LoadVerdict.Invalid;

    /// <summary>Messages sent per second.</summary>
    public double InPerSecond => Rate(Counters.SentInWindow);

    /// <summary>Deliveries per second.</summary>
    public double OutPerSecond => Rate(Counters.DeliveriesInWindow);

    /// <summary>Processor time of the generator's process per delivery, in microseconds; NaN without any.</summary>
    public double GeneratorMicrosecondsPerMessage => PerMessage(GeneratorProcessor);

    /// <summary>Processor time of the broker per delivery, in microseconds; NaN where it is not known.</summary>
    public double BrokerMicrosecondsPerMessage => PerMessage(BrokerProcessor);

    private double Rate(long count) => Window > TimeSpan.Zero ? count / Window.TotalSeconds : 0;

    private double PerMessage(TimeSpan? processor) =>
        processor is { } time && Counters.DeliveriesInWindow > 0
            ? time.TotalMicroseconds / Counters.DeliveriesInWindow
            : double.NaN;
}
