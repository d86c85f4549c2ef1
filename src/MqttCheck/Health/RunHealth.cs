using static System.FormattableString;

namespace MqttCheck.Health;

/// <summary>
/// Describes the quality of a run of load: how busy and how late the generator was, and the state of the path. NaN
/// stands for an unmeasured value.
/// </summary>
/// <remarks>
/// In an open loop latency counts from the intended time, so lag is part of it and is held against it. In a closed loop
/// latency counts from the real sending; there lag lengthens the waits of the clients, and so thins the load: it is
/// held against wait and latency together. Without waits both are the same rule.
/// </remarks>
public sealed record RunHealth
{
    /// <summary>
    /// The largest share of the reported 99th percentile of latency, in a closed loop with the mean wait added, that
    /// the 99th percentile of the send lag may be.
    /// </summary>
    public const double LargestLagShare = 0.1;

    /// <summary>The largest share of a processor that the generator's thread may use.</summary>
    public const double LargestCpuShare = 0.8;

    /// <summary>The largest share of the median latency that the error of the workers' clocks may be.</summary>
    public const double LargestClockShare = 0.1;

    /// <summary>The smallest share of latencies in the mode of delayed acknowledgements that is reported.</summary>
    public const double SmallestModeShare = 0.001;

    private const string Remedy =
        "Set the broker's TCP_NODELAY, such as by 'set_tcp_nodelay true': docs/manual/brokers.md has each broker's.";

    /// <summary>The smallest stolen share of processor time that is reported.</summary>
    public const double SmallestStolenShare = 0.02;

    /// <summary>Whether requests waited for answers.</summary>
    public required LoadLoop Loop { get; init; }

    /// <summary>The 99th percentile of the latencies that the run reports, in milliseconds.</summary>
    public double LatencyP99Milliseconds { get; init; } = double.NaN;

    /// <summary>
    /// The mean of the waits that the clients mean to keep between an answer and the next request, in milliseconds; 0
    /// in an open loop.
    /// </summary>
    public double MeanWaitMilliseconds { get; init; }

    /// <summary>
    /// The median of the send lag, the time from when a request was meant to be sent until it was, in microseconds.
    /// </summary>
    public double LagMedianMicroseconds { get; init; } = double.NaN;

    /// <summary>The 99th percentile of the send lag, in microseconds.</summary>
    public double LagP99Microseconds { get; init; } = double.NaN;

    /// <summary>The largest send lag, in microseconds.</summary>
    public double LagMaximumMicroseconds { get; init; } = double.NaN;

    /// <summary>Processor time of the generator's thread over wall time, 0 .. 1.</summary>
    public double GeneratorCpuShare { get; init; } = double.NaN;

    /// <summary>
    /// In a virtual machine: the share of the processor time wanted by all that ran on it, which its host gave to
    /// others, 0 .. 1. It comes in slices of milliseconds, which make generator and broker late alike.
    /// </summary>
    public double StolenShare { get; init; } = double.NaN;

    /// <summary>How long garbage collections stopped the process in all.</summary>
    public TimeSpan CollectionPauses { get; init; }

    /// <summary>
    /// The most bytes that waited on one connection because the broker, or the network, did not take them.
    /// </summary>
    public long PendingBytesMaximum { get; init; }

    /// <summary>
    /// The share of latencies in a mode at 40 .. 47 ms, where there is one: see <see cref="NagleDelays"/>. 0 without.
    /// </summary>
    public double DelayedAcknowledgementShare { get; init; }

    /// <summary>
    /// The share of answers that came only after the next packet of their connection, where the broker holds them back
    /// until then: see <see cref="HeldAnswers"/>. 0 without.
    /// </summary>
    public double HeldAnswerShare { get; init; }

    /// <summary>
    /// Processors that the broker's process used, on average (2 is two whole ones); NaN where it is no local process.
    /// </summary>
    public double BrokerCpuShare { get; init; } = double.NaN;

    /// <summary>
    /// Memory that the broker's process held at the end of the run, or null where it is no local process.
    /// </summary>
    public long? BrokerResidentBytes { get; init; }

    /// <summary>
    /// If several workers load the broker: by how much two of them may disagree about a time, in milliseconds. The
    /// time of a delivery from a client of one to a client of another is wrong by at most this.
    /// </summary>
    public double ClockBoundMilliseconds { get; init; } = double.NaN;

    /// <summary>The median of the latencies that the run reports, in milliseconds.</summary>
    public double LatencyMedianMilliseconds { get; init; } = double.NaN;

    /// <summary>Which worker was lost during the run, and how that was seen; null where none was.</summary>
    public string? LostWorker { get; init; }

    /// <summary>Whether the run's numbers can be used.</summary>
    public bool IsValid => !IsLate && !IsOverloaded && LostWorker is null;

    /// <summary>Whether the clocks of workers agree less than the reported latencies bear.</summary>
    public bool IsClockCoarse => ClockBoundMilliseconds > LargestClockShare * LatencyMedianMilliseconds;

    /// <summary>
    /// Whether the generator's own lag exceeds what the reported latencies, and in a closed loop the waits, bear.
    /// </summary>
    public bool IsLate => LagP99Microseconds / 1e3 > LargestLagShare * (LatencyP99Milliseconds + MeanWaitMilliseconds);

    /// <summary>Whether the generator was too busy.</summary>
    public bool IsOverloaded => GeneratorCpuShare > LargestCpuShare;

    /// <summary>Everything worth saying, those that invalidate the run first.</summary>
    public IReadOnlyList<HealthFinding> Findings
    {
        get
        {
            (bool Applies, string Code, bool Invalidates, Func<string> Text)[] possible =
            [
                (LostWorker is not null, "worker-lost", true, Lost),
                (IsLate, "send-lag", true, Late),
                (IsOverloaded, "generator-cpu", true, Overloaded),
                (IsClockCoarse, "clock-bound", false, Coarse),
                (StolenShare >= SmallestStolenShare, "stolen-time", false, Stolen),
                (DelayedAcknowledgementShare >= SmallestModeShare, "delayed-acknowledgements", false, Delayed),
                (HeldAnswerShare > 0, "held-answers", false, Held),
                (PendingBytesMaximum > 0, "back-pressure", false, Pending),
            ];
            return
            [
                .. possible
                    .Where(finding => finding.Applies)
                    .Select(finding => new HealthFinding(finding.Code, finding.Invalidates, finding.Text())),
            ];
        }
    }

    private string Lost() => $"A worker was lost during the run, and its clients with it: {LostWorker}.";

    private string Coarse() =>
        Invariant($"The clocks of the workers agree to {ClockBoundMilliseconds:0.###} ms, more than ")
        + Invariant($"{LargestClockShare:P0} of the median latency ({LatencyMedianMilliseconds:0.###} ms): ")
        + "deliveries from a client of one worker to one of another are known no better.";

    private string Late() =>
        Invariant($"The generator sent up to {LagP99Microseconds / 1e3:0.###} ms late (99 % of requests), more than ")
        + Invariant($"{LargestLagShare:P0} of the latency it reports ({LatencyP99Milliseconds:0.###} ms, 99 %)")
        + (
            MeanWaitMilliseconds > 0
                ? Invariant($" and the clients' waits ({MeanWaitMilliseconds:0.###} ms) together.")
                : "."
        );

    private string Overloaded() =>
        Invariant($"The load generator used {GeneratorCpuShare:P0} of its processor, more than {LargestCpuShare:P0}: ")
        + "what was measured is generator and broker together.";

    private string Stolen() =>
        Invariant($"The host of this virtual machine gave {StolenShare:P0} of the processor time that was ")
        + "wanted here to others: "
        + "generator and broker were late for it, by milliseconds at times.";

    private string Delayed() =>
        Invariant($"{DelayedAcknowledgementShare:P1} of the latencies lie in a mode at 40 .. 47 ms: ")
        + "the mark of Nagle's algorithm meeting delayed acknowledgements. "
        + Remedy;

    private string Held() =>
        Invariant($"{HeldAnswerShare:P0} of the answers and deliveries came only when the client that got them sent ")
        + "its next packet: the broker holds them back until then (Nagle's algorithm meeting delayed "
        + "acknowledgements). "
        + Remedy;

    private string Pending() =>
        Invariant($"Up to {PendingBytesMaximum} bytes of a connection waited to be sent: ")
        + "the broker did not read as fast as the clients wrote.";
}
