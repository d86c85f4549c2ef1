using MqttCheck.App.Bench;
using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Wire;
using MqttCheck.Captures.Replay;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Cli.Bench;

/// <summary>Sends the traffic of a capture to a broker as a bench, with an exchange log.</summary>
internal static class BenchReplay
{
    /// <summary>Sends it, and writes its log and its percentiles.</summary>
    public static async Task<(BenchRun Run, DurationCounts Latencies)> RunAsync(
        Workplace place,
        BenchFiles files,
        IBrokerUnderTest broker,
        BrokerChoice choice,
        BenchReplayRequest request,
        ReplaySurvey survey
    )
    {
        var newest = await BenchStage.ChooseVersionAsync(broker, null);
        var campaign = choice.Live(newest).Campaign(SeedPurpose.Explore) with { Seed = choice.Seed };
        var setup = new ReplaySetup
        {
            Capture = request.Capture,
            Endpoint = broker.Endpoint,
            Credentials = broker.Credentials,
            Newest = newest,
            TopicPrefix = broker.TopicPrefix,
            Prefix = campaign.Prefix,
            Speed = request.Speed,
            Share = request.Share,
            Seed = request.Seed,
            Drain = request.Drain,
            BrokerProcessId = broker.ProcessId,
        };
        var path = files.Messages("").Replace("messages", "exchanges", StringComparison.Ordinal);
        using var log = new LoggedRun(path, broker, campaign, place.Time, coarse: false);
        var counts = new Counts(log.Sink);
        var started = place.Time.GetUtcNow();
        var before = Usage(broker);
        var result = await place.Progress.ProgressAsync(
            Invariant($"sends {Path.GetFileName(request.Capture.Capture)}"),
            report =>
                Task.Run(() =>
                    CaptureReplay.Run(
                        setup,
                        survey,
                        counts,
                        (share, sent) => report(share, Invariant($"{sent} messages")),
                        place.Orderly,
                        place.AtOnce
                    )
                )
        );
        var after = Usage(broker);
        log.Close([CaseOf(result, started)], [], complete: !result.IsInterrupted);
        files.WritePercentiles("", counts.Latency);
        return (
            WithResources(Describe(broker, request, newest, result, counts), result, before, after),
            counts.Latency
        );
    }

    private static RunCase CaseOf(ReplayResult result, DateTimeOffset started) =>
        new()
        {
            Run = 0,
            Purpose = RunPurpose.Explore,
            Clients = result.LoggedClients,
            Sessions = result.Sessions,
            Duration = result.Duration,
            Started = started,
            Ended = started + result.Duration,
            Complete = !result.IsInterrupted,
            Health = result.Health,
            WarmUp = result.WarmUp,
        };

    private static BenchRun Describe(
        IBrokerUnderTest broker,
        BenchReplayRequest request,
        ProtocolVersion newest,
        ReplayResult result,
        Counts counts
    )
    {
        var (seconds, health) = (Math.Max(.001, result.Duration.TotalSeconds), result.Health);
        return new()
        {
            Broker = BenchRun.Describe(broker.Description, ClientKind.Own),
            Mqtt = $"as captured, up to {BrokerVersions.Name(newest)},",
            Transport = (broker.Endpoint.WebSocket is null ? "mqtt" : "ws") + (broker.Endpoint.Tls is null ? "" : "s"),
            Workload = Invariant($"replay of {Path.GetFileName(request.Capture.Capture)}"),
            Publishers = result.Clients,
            Loop = Invariant($"open loop: what the capture has, at its times, {request.Speed:0.##} times as fast"),
            WindowSeconds = Math.Round(seconds, 3),
            WarmUp = "none",
            Stationary = BenchRun.Describe(result.WarmUp),
            InPerSecond = Math.Round(result.Publications / seconds, 1),
            OutPerSecond = Math.Round(result.Deliveries / seconds, 1),
            Latency = BenchQuantiles.Of(counts.Latency),
            Acknowledgement = BenchQuantiles.Of(counts.Acknowledgement),
            OwnLag = new(
                result.Publications,
                null,
                health.LagMedianMicroseconds / 1e3,
                null,
                health.LagP99Microseconds / 1e3,
                null,
                health.LagMaximumMicroseconds / 1e3
            ),
            Messages = counts.Outcomes.Values.Sum(),
            Outcomes = counts.Outcomes,
            IsValid = health.IsValid,
            Findings = [.. health.Findings.Select(finding => finding.Text)],
            Notes =
            [
                .. result.Notes,
                .. result.SessionsLeft > 0
                    ? [Invariant($"{result.SessionsLeft} sessions may be left on the broker")]
                    : (string[])[],
            ],
            IsInterrupted = result.IsInterrupted,
        };
    }

    private static BenchRun WithResources(
        BenchRun run,
        ReplayResult result,
        (TimeSpan Own, ProcessUsage? Broker) before,
        (TimeSpan Own, ProcessUsage? Broker) after
    )
    {
        var (messages, health) = (Math.Max(1, run.Messages), result.Health);
        var brokerTime = after.Broker?.ProcessorTime - before.Broker?.ProcessorTime;
        return run with
        {
            GeneratorCpuShare = BenchRun.Known(health.GeneratorCpuShare),
            GeneratorMicrosecondsPerMessage = BenchRun.Known((after.Own - before.Own).TotalMicroseconds / messages),
            CollectionPausesMilliseconds = Math.Round(health.CollectionPauses.TotalMilliseconds, 3),
            PendingBytesMaximum = health.PendingBytesMaximum,
            DelayedAcknowledgementShare = Math.Round(health.DelayedAcknowledgementShare, 4),
            BrokerCpuShare = BenchRun.Known(health.BrokerCpuShare),
            BrokerMicrosecondsPerMessage = brokerTime is { } time
                ? BenchRun.Known(time.TotalMicroseconds / messages)
                : null,
            BrokerMebibytes = after.Broker is { } memory ? Math.Round(memory.ResidentBytes / 1048576.0, 1) : null,
        };
    }

    private static (TimeSpan Own, ProcessUsage? Broker) Usage(IBrokerUnderTest broker) =>
        (Environment.CpuUsage.TotalTime, broker.ProcessId is { } process ? ProcessUsage.Read(process) : null);

    // Latencies of publications, acknowledgements and outcomes, on their way to the log.
    private sealed class Counts(IExchangeSink log) : IExchangeSink
    {
        public DurationCounts Latency { get; } = new();

        public DurationCounts Acknowledgement { get; } = new();

        public Dictionary<string, long> Outcomes { get; } =
            Enum.GetValues<ExchangeOutcome>().ToDictionary(one => one.ToString().ToLowerInvariant(), _ => 0L);

        public void Append(in Exchange exchange)
        {
            log.Append(exchange);
            Outcomes[exchange.Outcome.ToString().ToLowerInvariant()]++;
            if (exchange.Message != MessageKind.Publish || exchange.Outcome != ExchangeOutcome.Success)
                return;
            Latency.Add((long)(exchange.LatencyMilliseconds * 1e6));
            if (!double.IsNaN(exchange.AcknowledgedMicroseconds))
                Acknowledgement.Add((long)((exchange.AcknowledgedMicroseconds - exchange.SentMicroseconds) * 1e3));
        }
    }
}
