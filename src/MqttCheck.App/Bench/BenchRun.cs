using System.Diagnostics;
using System.Text.Json.Serialization;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Health;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.App.Bench;

/// <summary>One run of a load, as the results file holds it. Values that were not measured are null.</summary>
internal sealed record BenchRun
{
    /// <summary>The broker with its version and settings.</summary>
    public required string Broker { get; init; }

    /// <summary>The MQTT client that carried the messages, with its version.</summary>
    public string Client { get; init; } = ClientKind.Own.Name;

    /// <summary>
    /// The version of MQTT spoken, and how sessions of subscribers were kept: <c>5</c>, <c>3.1.1</c>,
    /// <c>3.1.1, CleanSession 0</c>.
    /// </summary>
    public string Mqtt { get; init; } = "";

    /// <summary>The transport of the connections: mqtt, mqtts, ws or wss.</summary>
    public string Transport { get; init; } = "";

    /// <summary>The workload or profile.</summary>
    public required string Workload { get; init; }

    /// <summary>The clients that publish.</summary>
    public int Publishers { get; init; }

    /// <summary>The clients that subscribe.</summary>
    public int Subscribers { get; init; }

    /// <summary>Which loop it was, in words.</summary>
    public required string Loop { get; init; }

    /// <summary>Whether it was an open loop: then the latency counts from the intended time.</summary>
    public bool IsOpenLoop { get; init; }

    /// <summary>The offered load of an open loop, in messages per second.</summary>
    public double? OfferedPerSecond { get; init; }

    /// <summary>How many deliveries each message was to have.</summary>
    public int Receivers { get; init; } = 1;

    /// <summary>How long messages that count were sent.</summary>
    public double WindowSeconds { get; init; }

    /// <summary>The warm-up in words.</summary>
    public string WarmUp { get; init; } = "";

    /// <summary>When the latencies became stationary, in words.</summary>
    public string Stationary { get; init; } = "";

    /// <summary>Messages sent per second.</summary>
    public double InPerSecond { get; init; }

    /// <summary>Deliveries per second.</summary>
    public double OutPerSecond { get; init; }

    /// <summary>
    /// To the last delivery, from the intended time in an open loop and from sending in a closed one.
    /// </summary>
    public BenchQuantiles? Latency { get; init; }

    /// <summary>From sending to the last delivery.</summary>
    public BenchQuantiles? Service { get; init; }

    /// <summary>From sending to each delivery, where a message has several.</summary>
    public BenchQuantiles? EachDelivery { get; init; }

    /// <summary>From sending to the acknowledgement.</summary>
    public BenchQuantiles? Acknowledgement { get; init; }

    /// <summary>From the intended time to sending.</summary>
    public BenchQuantiles? SendLag { get; init; }

    /// <summary>The part of the send lag that is the generator's own.</summary>
    public BenchQuantiles? OwnLag { get; init; }

    /// <summary>From sending to the delivery of what a receiver missed while it was offline on purpose.</summary>
    public BenchQuantiles? CatchUp { get; init; }

    /// <summary>
    /// Messages whose receiver was offline on purpose when they were sent, whether they reached it afterwards or not;
    /// null when nobody was to go offline.
    /// </summary>
    public long? MissedOffline { get; init; }

    /// <summary>Messages that count: sent, or due and not sent.</summary>
    public long Messages { get; init; }

    /// <summary>How many ended how, by the names of <see cref="LoadOutcome"/>.</summary>
    public IReadOnlyDictionary<string, long> Outcomes { get; init; } = new Dictionary<string, long>();

    /// <summary>Messages that the broker took and did not deliver.</summary>
    public long Lost { get; init; }

    /// <summary>Messages that arrived again without a reason.</summary>
    public long Duplicates { get; init; }

    /// <summary>Messages that arrived again with DUP set.</summary>
    public long Redeliveries { get; init; }

    /// <summary>Messages that arrived after a later one of the same publisher.</summary>
    public long Reordered { get; init; }

    /// <summary>Messages that are not of this run.</summary>
    public long Strays { get; init; }

    /// <summary>Connections that ended without our doing.</summary>
    public long ConnectionsLost { get; init; }

    /// <summary>Processor time of the generator's thread over wall time.</summary>
    public double? GeneratorCpuShare { get; init; }

    /// <summary>
    /// Processor time of the generator per delivery, the writing of the log included, in microseconds.
    /// </summary>
    public double? GeneratorMicrosecondsPerMessage { get; init; }

    /// <summary>How long garbage collections stopped the generator, in milliseconds.</summary>
    public double CollectionPausesMilliseconds { get; init; }

    /// <summary>Most bytes of one connection that waited to be sent because the broker did not read.</summary>
    public long PendingBytesMaximum { get; init; }

    /// <summary>
    /// Share of the latencies in 40 .. 47 ms, the mode that Nagle's algorithm makes with delayed acknowledgements.
    /// </summary>
    public double DelayedAcknowledgementShare { get; init; }

    /// <summary>Share of the answers that the broker held back until the next packet of their connection.</summary>
    public double HeldAnswerShare { get; init; }

    /// <summary>Processor time of the broker over wall time, where it is a process here.</summary>
    public double? BrokerCpuShare { get; init; }

    /// <summary>Processor time of the broker per delivery, in microseconds.</summary>
    public double? BrokerMicrosecondsPerMessage { get; init; }

    /// <summary>Memory of the broker, in MiB.</summary>
    public double? BrokerMebibytes { get; init; }

    /// <summary>Whether the numbers can be used: whether the generator was neither late nor overloaded.</summary>
    public bool IsValid { get; init; } = true;

    /// <summary>The findings that bear on how far the numbers can be trusted.</summary>
    public IReadOnlyList<string> Findings { get; init; } = [];

    /// <summary>Events of the run that do not affect its validity.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Why the run could not be made or ended early; null when it went to its end.</summary>
    public string? Failure { get; init; }

    /// <summary>Whether the user interrupted it.</summary>
    public bool IsInterrupted { get; init; }

    /// <summary>Whether messages that had to arrive did not.</summary>
    public bool HasBrokenPromise { get; init; }

    /// <summary>Whether 99 % of what was offered was delivered in the same time; true in a closed loop.</summary>
    public bool KeptUp =>
        OfferedPerSecond is not { } offered || OutPerSecond >= BenchKnee.SmallestShare * offered * Receivers;

    /// <summary>The conclusion from this run.</summary>
    [JsonIgnore]
    public Conclusion Conclusion =>
        Failure is not null && !IsInterrupted
            ? Conclusion.Failed
            : Conclusions.Of(IsValid ? !HasBrokenPromise : null, IsInterrupted);

    /// <summary>The exit code of this run.</summary>
    public int ExitCode => Verification.Deciding.ExitCode.Of(Conclusion);

    /// <summary>A run that was made.</summary>
    /// <param name="client">Which MQTT client carried the messages.</param>
    public static BenchRun Of(BrokerDescription broker, LoadResult result, ClientKind client)
    {
        var (workload, counters, times, health) = (result.Workload, result.Counters, result.Times, result.Health);
        var run = new BenchRun
        {
            Broker = Describe(broker, client),
            Client = client.ToString(),
            Mqtt = Protocol(result.Version, workload.PersistentSubscribers),
            Transport = result.Transport.Scheme(),
            Workload = workload.Name,
            Publishers = workload.Publishers,
            Subscribers = workload.Subscribers,
            Loop = workload.Loop,
            IsOpenLoop = workload.IsOpenLoop,
            OfferedPerSecond = workload.IsOpenLoop ? workload.MessagesPerSecond : null,
            Receivers = workload.ReceiversPerMessage,
            WindowSeconds = Math.Round(result.Window.TotalSeconds, 3),
            WarmUp = workload.WarmUp.ToString(),
            Stationary = Describe(result.WarmUp),
            InPerSecond = Math.Round(result.InPerSecond, 1),
            OutPerSecond = Math.Round(result.OutPerSecond, 1),
            Latency = BenchQuantiles.Of(times.Latency),
            Service = BenchQuantiles.Of(times.Service),
            EachDelivery = BenchQuantiles.Of(times.EachDelivery),
            Acknowledgement = BenchQuantiles.Of(times.Acknowledgement),
            SendLag = BenchQuantiles.Of(times.Lag),
            OwnLag = BenchQuantiles.Of(times.OwnLag),
            CatchUp = BenchQuantiles.Of(times.CatchUp),
            MissedOffline = workload.OfflineShare > 0 ? counters.CaughtUp + counters.NotCaughtUp : null,
            Messages = counters.Messages,
            Outcomes = Enum.GetValues<LoadOutcome>()
                .ToDictionary(outcome => outcome.ToString().ToLowerInvariant(), outcome => counters[outcome]),
            Lost = counters[LoadOutcome.Lost],
            Duplicates = counters.Duplicates,
            Redeliveries = counters.Redeliveries,
            Reordered = counters.Reordered,
            Strays = counters.Strays,
            ConnectionsLost = counters.ConnectionsLost,
            IsValid = health.IsValid,
            Findings = [.. health.Findings.Select(finding => finding.Text)],
            Notes =
            [
                .. result.Notes,
                .. result.SessionsLeft > 0
                    ? [$"{result.SessionsLeft} sessions may be left on the broker"]
                    : (string[])[],
            ],
            Failure = result.Failure,
            IsInterrupted = result.Interrupted,
            // A delivery has the smaller QoS of publisher and subscriber, and QoS 0 promises nothing.
            HasBrokenPromise = counters[LoadOutcome.Lost] > 0 && workload.Qos > 0 && workload.SubscribeQos > 0,
        };
        return WithResources(run, result);
    }

    // Sessions are kept in another way by each version.
    private static string Protocol(ProtocolVersion version, bool keepsSessions) =>
        BrokerVersions.Name(version)
        + (
            !keepsSessions ? ""
            : version == ProtocolVersion.V5 ? ", session expiry"
            : ", CleanSession 0"
        );

    // Adds the resources that the generator and the broker used during the run.
    private static BenchRun WithResources(BenchRun run, LoadResult result) =>
        run with
        {
            GeneratorCpuShare = Known(result.Health.GeneratorCpuShare),
            GeneratorMicrosecondsPerMessage = Known(result.GeneratorMicrosecondsPerMessage),
            CollectionPausesMilliseconds = Math.Round(result.Health.CollectionPauses.TotalMilliseconds, 3),
            PendingBytesMaximum = result.Health.PendingBytesMaximum,
            DelayedAcknowledgementShare = Math.Round(result.Health.DelayedAcknowledgementShare, 4),
            HeldAnswerShare = Math.Round(result.Health.HeldAnswerShare, 4),
            BrokerCpuShare = Known(result.Health.BrokerCpuShare),
            BrokerMicrosecondsPerMessage = Known(result.BrokerMicrosecondsPerMessage),
            BrokerMebibytes = result.Health.BrokerResidentBytes is { } bytes ? Math.Round(bytes / 1048576.0, 1) : null,
        };

    /// <summary>When latencies became stationary, in words.</summary>
    public static string Describe(WarmUp warmUp) =>
        warmUp.State switch
        {
            StationarityState.Reached when warmUp.SinceSeconds == 0 => "latencies stationary from the beginning",
            StationarityState.Reached => Invariant($"latencies stationary from {warmUp.SinceSeconds:0.0} s on"),
            StationarityState.Never => "latencies never became stationary",
            StationarityState.Unknown => "too short to say whether latencies were stationary",
            _ => throw new UnreachableException(),
        };

    /// <summary>A broker in a few words.</summary>
    /// <param name="client">Which MQTT client loads it; the own one goes without saying.</param>
    public static string Describe(BrokerDescription broker, ClientKind client) =>
        $"{broker.Name} {(broker.Version == "unknown" ? "" : broker.Version)}".TrimEnd()
        + (client.IsOwn ? "" : $" with client {client}");

    /// <summary>A figure as a file holds it: rounded, null where it is not known.</summary>
    internal static double? Known(double value) => double.IsFinite(value) ? Math.Round(value, 3) : null;
}
