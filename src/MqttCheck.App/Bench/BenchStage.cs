using System.Diagnostics;
using System.Globalization;
using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Rights;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.App.Bench;

/// <summary>Runs loads against brokers and writes what they measured.</summary>
/// <param name="loads">Who makes the runs.</param>
internal sealed class BenchStage(Workplace place, BenchFiles files, ILoadRunner loads)
{
    // After two rates in a row that were not sustained, higher ones say nothing new.
    private const int MostBeyondKnee = 2;

    private readonly List<BenchRun> _runs = [];
    private readonly HashSet<string> _noted = [];

    /// <summary>The runs so far.</summary>
    public IReadOnlyList<BenchRun> Runs => _runs;

    /// <summary>The latencies of the last run.</summary>
    public DurationCounts? LastLatencies { get; private set; }

    /// <summary>Runs one load.</summary>
    /// <param name="name">The name of its files, empty for the only run.</param>
    public async Task<BenchRun> RunAsync(IBrokerUnderTest broker, BenchRequest request, string name, string title)
    {
        var workload = request.Workload;
        if (
            (int)workload.Qos > broker.Description.MaximumQos
            || (int)workload.SubscribeQos > broker.Description.MaximumQos
        )
            throw new InputException(
                Invariant($"--qos: {broker.Description.Name} offers QoS 0 .. {broker.Description.MaximumQos}.")
            );
        var version = await VersionAsync(broker, request);
        var setup = new LoadSetup
        {
            Workload = workload,
            Endpoint = broker.Endpoint,
            Nodes = broker.Endpoints.Count > 1 ? LoadNodes.InTurn(broker.Endpoints, broker.Failover) : null,
            Credentials = broker.Credentials,
            Version = version,
            Client = request.Client,
            Prefix = FleetSetup.NewPrefix(),
            TopicPrefix = broker.TopicPrefix,
            Seed = request.Seed,
            Drain = request.Drain,
            BrokerProcessId = broker.ProcessId,
        };
        loads.Require(setup);
        await Task.Run(() => RightsProbe.Require(setup, place.Orderly));
        using var log = request.WithLog
            ? new LoadLogWriter(files.Messages(name) + (request.CompressesLog ? ".gz" : ""))
            : null;
        var result = await place.Progress.ProgressAsync(
            title,
            report =>
                Task.Run(() =>
                    LoadSignals.Run(
                        setup,
                        () => loads.Run(setup, log, place.Time, new Progress(report), place.Orderly, place.AtOnce)
                    )
                )
        );
        log?.Conclude(result.Verdict);
        LastLatencies = result.Times.Latency;
        files.WritePercentiles(name, result.Times.Latency);
        var run = BenchRun.Of(broker.Description, result, request.Client);
        if (run.Failure is not null && broker.Failure is { } why)
            run = run with { Notes = [.. run.Notes, why] };
        _runs.Add(run);
        return run;
    }

    /// <summary>Runs the same load at rates from the lowest up, until two in a row are not sustained.</summary>
    /// <param name="request">The load, in an open loop.</param>
    public async Task SweepAsync(IBrokerUnderTest broker, BenchRequest request, IReadOnlyList<double> rates)
    {
        var beyond = 0;
        foreach (var rate in rates)
        {
            var words = rate.ToString("0.##", CultureInfo.InvariantCulture);
            var run = await RunAsync(
                broker,
                request with
                {
                    Workload = request.Workload with { MessagesPerSecond = rate },
                },
                words,
                $"{words} messages/s"
            );
            if (run.IsInterrupted || run.Failure is not null)
                return;
            // An invalid run says nothing of the broker: neither that it kept up nor that it did not.
            if (run.IsValid)
                beyond = BenchKnee.IsSustained(run, BenchKnee.Lowest(_runs)) ? 0 : beyond + 1;
            if (beyond == MostBeyondKnee && rate < rates[^1])
            {
                place.Progress.Note($"the last {MostBeyondKnee} rates were not sustained: higher ones are left out");
                return;
            }
        }
    }

    /// <summary>
    /// Runs a load of several sizes on several brokers. A broker that fails gives a run that says why.
    /// </summary>
    /// <param name="brokers">The brokers by the names that the user gave them.</param>
    public async Task ScenarioAsync(
        IReadOnlyList<KeyValuePair<string, BrokerChoice>> brokers,
        BenchRequest request,
        IReadOnlyList<int> pairs
    )
    {
        foreach (var (name, choice) in brokers)
        {
            foreach (var count in pairs)
            {
                if (place.Orderly.IsCancellationRequested)
                    return;
                var workload = Resize(request.Workload, count);
                try
                {
                    // Each size has a broker of its own: sessions and memory of one run must not burden the next.
                    await using var broker = await choice.StartAsync(place.Orderly);
                    var file = Invariant($"{RunFiles.Safe(name)}-{count}");
                    await RunAsync(
                        broker,
                        request with
                        {
                            Workload = workload,
                        },
                        file,
                        Invariant($"{name}, {count} pairs")
                    );
                }
                catch (OperationCanceledException) when (place.Orderly.IsCancellationRequested)
                {
                    // The runs that were measured until now are still worth a table.
                    return;
                }
                catch (Exception failure) when (failure is BrokerException or InputException or WireException)
                {
                    place.Progress.Warn(failure.Message);
                    _runs.Add(
                        new()
                        {
                            Broker = name,
                            Workload = workload.Name,
                            Publishers = count,
                            Subscribers = count,
                            Loop = workload.Loop,
                            IsOpenLoop = workload.IsOpenLoop,
                            Failure = failure.Message,
                        }
                    );
                }
            }
        }
    }

    /// <summary>The same workload with another number of pairs, at the same rate for each.</summary>
    public static Workload Resize(Workload workload, int pairs) =>
        workload with
        {
            Publishers = pairs,
            Subscribers = pairs,
            MessagesPerSecond = workload.MessagesPerSecond * pairs / workload.Publishers,
        };

    /// <summary>The version of MQTT to speak with a broker.</summary>
    /// <param name="broker">The broker, which accepts a client of 3.1.1.</param>
    /// <param name="asked">The version that the user asked for, or null for the newest that the broker speaks.</param>
    /// <exception cref="InputException">The broker does not speak it.</exception>
    internal static async Task<ProtocolVersion> ChooseVersionAsync(IBrokerUnderTest broker, ProtocolVersion? asked)
    {
        if (asked == ProtocolVersion.V311)
            return ProtocolVersion.V311;
        var newest = await Task.Run(() => BrokerVersions.Newest(broker));
        return asked is null || asked == newest
            ? newest
            : throw new InputException(
                $"--mqtt: 5 given; allowed: 3.1.1, since {broker.Description.Name} does not accept a client of MQTT 5."
            );
    }

    private async Task<ProtocolVersion> VersionAsync(IBrokerUnderTest broker, BenchRequest request)
    {
        if (request.IsVersionFixed)
            return await ChooseVersionAsync(broker, request.Workload.Version);
        if (request.Workload.Version is { } version && version != ProtocolVersion.V5)
            return version;
        var newest = await ChooseVersionAsync(broker, null);
        if (request.Workload.Version == ProtocolVersion.V5 && newest != ProtocolVersion.V5)
        {
            var note =
                $"{broker.Description.Name} does not speak MQTT 5: the run uses 3.1.1"
                + (request.Workload.PersistentSubscribers ? " with CleanSession 0" : "");
            if (_noted.Add(note))
                place.Progress.Note(note);
        }
        return newest;
    }

    private sealed class Progress(Action<double, string> report) : IProgress<LoadProgress>
    {
        public void Report(LoadProgress value) =>
            report(
                value.Share,
                value.Phase switch
                {
                    LoadPhase.Connecting => Invariant($"{value.Connected} connected"),
                    LoadPhase.Sending => Invariant($"{value.Sent} sent, {value.Delivered} delivered"),
                    LoadPhase.Draining or LoadPhase.Leaving or LoadPhase.Over => "waiting for what is under way",
                    _ => throw new UnreachableException(),
                }
            );
    }
}
