using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Rights;
using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.App.Bench;

/// <summary>
/// Runs a fleet of client models (a usage profile) as a bench: a closed loop in which each client waits for its answer
/// and thinks.
/// </summary>
internal static class BenchProfile
{
    /// <summary>Runs it, and writes its log and its percentiles.</summary>
    public static async Task<(BenchRun Run, DurationCounts Latencies)> RunAsync(
        Workplace place,
        BenchFiles files,
        IBrokerUnderTest broker,
        BenchProfileRequest request
    )
    {
        var (population, clients, duration) = (request.Population, request.Clients, request.Duration);
        var live = request.Choice.Live(await BenchStage.ChooseVersionAsync(broker, request.Asked));
        var campaign = live.Campaign(SeedPurpose.Explore) with { Seed = live.Seed };
        var setup = FleetSetup.For(broker, population, clients, campaign.Prefix) with
        {
            Duration = duration,
            Seed = live.Seed,
            ProtocolVersion = live.ProtocolVersion,
            Client = live.Client,
            MaximumRequestsPerSecond = live.RateCap,
        };
        await Task.Run(() => RightsProbe.Require(setup, place.Orderly));
        var path = files.Messages("").Replace("messages", "exchanges", StringComparison.Ordinal);
        using var log = new LoggedRun(path, broker, campaign, place.Time, coarse: true);
        var counts = new Counts(log.Sink, StageClock.Of(population, clients));
        var started = place.Time.GetUtcNow();
        var before = Usage(broker);
        var result = await place.Progress.ProgressAsync(
            $"{population.Name}, {clients} clients",
            report =>
                Task.Run(() =>
                    request.Fleets.Run(setup, counts, new Progress(report, duration), place.Orderly, place.AtOnce)
                )
        );
        var after = Usage(broker);
        log.Close([CaseOf(request, started, result)], [result], complete: !result.Interrupted);
        files.WritePercentiles("", counts.Latency);
        return (Describe(broker, request, live.ProtocolVersion, result, counts, before, after), counts.Latency);
    }

    private static RunCase CaseOf(BenchProfileRequest request, DateTimeOffset started, FleetRunResult result) =>
        new()
        {
            Run = 0,
            Purpose = RunPurpose.Explore,
            Clients = request.Clients,
            Population = request.Population,
            Duration = request.Duration,
            Started = started,
            Ended = started + result.Duration,
            Complete = !result.Interrupted,
            Health = result.Health,
            WarmUp = result.WarmUp,
        };

    private static BenchRun Describe(
        IBrokerUnderTest broker,
        BenchProfileRequest request,
        ProtocolVersion version,
        FleetRunResult result,
        Counts counts,
        (TimeSpan Own, ProcessUsage? Broker) before,
        (TimeSpan Own, ProcessUsage? Broker) after
    )
    {
        var (seconds, exchanges, health) = (result.Duration.TotalSeconds, result.Exchanges, result.Health);
        var (client, population) = (request.Choice.Client, request.Population);
        var run = new BenchRun
        {
            Broker = BenchRun.Describe(broker.Description, client),
            Client = client.ToString(),
            Mqtt = BrokerVersions.Name(version),
            Transport = (broker.Endpoint.WebSocket is null ? "mqtt" : "ws") + (broker.Endpoint.Tls is null ? "" : "s"),
            Workload = population.Name,
            Publishers = request.Clients,
            Loop = "closed loop: each client waits for its answer, and then as its profile says",
            WindowSeconds = Math.Round(seconds, 3),
            WarmUp = "each client's first sequence",
            Stationary = BenchRun.Describe(counts.WarmUp.Find()),
            InPerSecond = Math.Round(result.Publications / seconds, 1),
            OutPerSecond = Math.Round(result.Deliveries / seconds, 1),
            Latency = BenchQuantiles.Of(counts.Latency),
            Acknowledgement = BenchQuantiles.Of(counts.Acknowledgement),
            OwnLag = LagOf(health, exchanges),
            Messages = exchanges,
            Outcomes = Enum.GetValues<ExchangeOutcome>()
                .ToDictionary(outcome => outcome.ToString().ToLowerInvariant(), result.Count),
            Lost = result.Lost,
            Duplicates = result.Duplicates,
            Redeliveries = result.Redeliveries,
            Strays = result.Strays,
            IsValid = health.IsValid,
            Findings = [.. health.Findings.Select(finding => finding.Text)],
            Notes = result.FirstFailures,
            IsInterrupted = result.Interrupted,
            HasBrokenPromise = result.Lost > 0 && population.Groups.All(group => group.Profile.Qos > 0),
        };
        return WithResources(run, result, before, after);
    }

    private static BenchQuantiles LagOf(RunHealth health, long exchanges) =>
        new(
            exchanges,
            null,
            health.LagMedianMicroseconds / 1e3,
            null,
            health.LagP99Microseconds / 1e3,
            null,
            health.LagMaximumMicroseconds / 1e3
        );

    // Adds the resources that the generator and the broker used during the run.
    private static BenchRun WithResources(
        BenchRun run,
        FleetRunResult result,
        (TimeSpan Own, ProcessUsage? Broker) before,
        (TimeSpan Own, ProcessUsage? Broker) after
    )
    {
        var (seconds, exchanges, health) = (result.Duration.TotalSeconds, result.Exchanges, result.Health);
        var brokerTime = after.Broker?.ProcessorTime - before.Broker?.ProcessorTime;
        return run with
        {
            GeneratorCpuShare = BenchRun.Known(result.GeneratorCpuShare),
            GeneratorMicrosecondsPerMessage = BenchRun.Known((after.Own - before.Own).TotalMicroseconds / exchanges),
            CollectionPausesMilliseconds = Math.Round(health.CollectionPauses.TotalMilliseconds, 3),
            PendingBytesMaximum = health.PendingBytesMaximum,
            DelayedAcknowledgementShare = Math.Round(health.DelayedAcknowledgementShare, 4),
            HeldAnswerShare = Math.Round(health.HeldAnswerShare, 4),
            BrokerCpuShare = brokerTime is { } used ? BenchRun.Known(used.TotalSeconds / seconds) : null,
            BrokerMicrosecondsPerMessage = brokerTime is { } time
                ? BenchRun.Known(time.TotalMicroseconds / exchanges)
                : null,
            BrokerMebibytes = after.Broker is { } memory ? Math.Round(memory.ResidentBytes / 1048576.0, 1) : null,
        };
    }

    private static (TimeSpan Own, ProcessUsage? Broker) Usage(IBrokerUnderTest broker) =>
        (Environment.CpuUsage.TotalTime, broker.ProcessId is { } process ? ProcessUsage.Read(process) : null);

    // Latencies of counted publications, and acknowledgements, on their way to the log.
    private sealed class Counts(IExchangeSink log, StageClock? stages) : IExchangeSink
    {
        public DurationCounts Latency { get; } = new();

        public DurationCounts Acknowledgement { get; } = new();

        public WarmUpDetector WarmUp { get; } = new(stages);

        public void Append(in Exchange exchange)
        {
            log.Append(exchange);
            WarmUp.Add(exchange);
            if (exchange.Message != MessageKind.Publish || exchange.Outcome != ExchangeOutcome.Success)
                return;
            Latency.Add((long)(exchange.LatencyMilliseconds * 1e6));
            if (!double.IsNaN(exchange.AcknowledgedMicroseconds))
                Acknowledgement.Add((long)((exchange.AcknowledgedMicroseconds - exchange.SentMicroseconds) * 1e3));
        }
    }

    private sealed class Progress(Action<double, string> report, TimeSpan duration) : IProgress<FleetProgress>
    {
        public void Report(FleetProgress value) =>
            report(Math.Clamp(value.Elapsed / duration, 0, 1), Invariant($"{value.Completed} exchanges"));
    }
}
