using System.Globalization;
using MqttCheck.Brokers.Conformance;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Terminal;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static System.FormattableString;

namespace MqttCheck.Cli.Check;

/// <summary>The stage from a broker to findings.</summary>
internal sealed class CheckStage : IAsyncDisposable
{
    // A broker that refuses now and then is not one that does not speak a version.
    private const int Probes = 5;

    private readonly Screen _screen;
    private readonly Interruption _interruption;
    private readonly BrokerChoice _choice;
    private readonly CheckRequest _request;
    private readonly IWire _wire;
    private readonly DateTimeOffset _started;
    private readonly Dictionary<string, string> _onFresh = new(StringComparer.Ordinal);
    private IBrokerUnderTest _broker;

    private CheckStage(
        Screen screen,
        Interruption interruption,
        BrokerChoice choice,
        CheckRequest request,
        IBrokerUnderTest broker
    )
    {
        (_screen, _interruption, _choice, _request, _broker) = (screen, interruption, choice, request, broker);
        _wire = WireFactory.Create(new WireOptions());
        _started = screen.Time.GetUtcNow();
    }

    private const int SettledReplays = 3;
    private static readonly TimeSpan s_settleTried = TimeSpan.FromSeconds(1);

    private readonly List<string> _betweenNodes = [];

    /// <summary>Starts or reaches the broker.</summary>
    public static async Task<CheckStage> StartAsync(
        Screen screen,
        Interruption interruption,
        BrokerChoice choice,
        CheckRequest request
    )
    {
        return new CheckStage(screen, interruption, choice, request, await choice.StartAsync(interruption.Orderly));
    }

    /// <summary>Explores, prints findings and the table of statements, and writes the files.</summary>
    public async Task<int> ExploreAsync()
    {
        var versions = AcceptedVersions();
        var found = 0;
        var report = await _screen.ProgressAsync(
            "Check",
            progress =>
                Task.Run(() =>
                {
                    var began = _wire.NowNanoseconds;
                    var check = new ConformanceCheck(_wire, Target, NewPrefix(), Options(versions))
                    {
                        Restart = Restart,
                        Load = Load,
                        Found = _ => found++,
                        Progress = (what, scenarios) =>
                            progress(
                                Math.Min(1, (_wire.NowNanoseconds - began) / 1e9 / _request.Budget.TotalSeconds),
                                Invariant($"{scenarios} scenarios, {found} findings, {what}")
                            ),
                    };
                    var explored = check.Explore(_request.Budget, _interruption.Orderly);
                    foreach (var finding in explored.Findings.Where(finding => finding.ExplainedBy is null))
                    {
                        progress(1, $"repeating {finding.Key} on a fresh broker");
                        RepeatOnFreshBroker(check, finding);
                        if (_broker.Endpoints.Count > 1 && _request.Settle == TimeSpan.Zero)
                            RepeatSettled(finding, versions);
                    }
                    return explored;
                })
        );
        var document = new CheckDescription(_request, _onFresh).Of(report, versions) with
        {
            Broker = _choice.Specification.Name,
            BrokerVersion = _broker.Description.Version,
            Started = _started,
            Interrupted = _interruption.Orderly.IsCancellationRequested,
        };
        CheckFile.Write(_request.Output, document);
        if (_request.Summary is { } summary)
            CheckFile.WriteSummary(summary, document);
        if (_request.Format is { } format)
            FindingsReport.Output(document, _screen.Time.GetUtcNow()).Print(_screen, format);
        else
            new CheckText(_screen, _request).Print(report, document);
        foreach (var line in _betweenNodes)
            _screen.Line(line);
        if (report.BrokerLost)
            _screen.Warn("the broker was lost and could not be started again: the result is partial");
        if (document.Interrupted)
        {
            _screen.Note("interrupted: the result is partial");
            return ExitCode.Interrupted;
        }
        return Conclude(report);
    }

    private static int Conclude(CheckReport report)
    {
        if (report.Findings.Any(finding => finding.Statement.Class == StatementClass.Must && finding.IsRepeated))
            return ExitCode.Refuted;
        // A broker that is gone may have been stopped by somebody else: that is no verdict on it, and no success.
        if (report.BrokerLost)
            return ExitCode.BrokerFailed;
        // What was seen and did not come again is neither a finding nor nothing.
        return report
            .Suspicions.Select(suspicion => suspicion.Deviation)
            .Concat(report.NotLookedInto)
            .Any(deviation => deviation is { MustRecur: false, Statement.Class: StatementClass.Must })
            ? ExitCode.Withheld
            : ExitCode.Success;
    }

    /// <summary>Repeats a scenario and prints what deviates.</summary>
    public int Replay(string text, string where, int times)
    {
        var version = _request.Versions[0];
        var scenario = ScenarioText.Parse(text, version, where);
        var check = new ConformanceCheck(_wire, Target, NewPrefix(), Options([version]))
        {
            Load = Load,
            Beside = [.. _request.Beside.Select(beside => ScenarioText.Parse(beside, version, "--beside"))],
        };
        var results = check.Replay(scenario, times, _interruption.Orderly);
        var keys = results
            .SelectMany(result => result.Deviations)
            .Where(Counts)
            .GroupBy(deviation => deviation.Key)
            .ToList();
        var shown = results.FirstOrDefault(result => result.Deviations.Any(Counts)) ?? results[0];
        foreach (var line in Transcript.Of(shown.Monitor.Trace, shown.Names, shown.Monitor.Trace.Count))
            _screen.Line(line);
        _screen.Line();
        foreach (var key in keys)
        {
            var first = key.First();
            var hits = results.Count(result => result.Deviations.Any(deviation => deviation.Key == key.Key));
            _screen.Line(
                $"{first.Statement.Id(version)} ({CheckDescription.Name(first.Statement.Class)}) "
                    + $"{hits} of {results.Count}: {shown.Names.Symbolic(first.Explanation)}"
            );
        }
        if (keys.Count == 0)
            _screen.Line($"no deviation in {results.Count} repetitions");
        if (_interruption.Orderly.IsCancellationRequested)
        {
            _screen.Note("interrupted: the result is partial");
            return ExitCode.Interrupted;
        }
        return keys.Any(key => key.First().Statement.Class == StatementClass.Must)
            ? ExitCode.Refuted
            : ExitCode.Success;

        bool Counts(Deviation deviation) => _request.Counts(deviation.Statement);
    }

    /// <summary>Stops what was started.</summary>
    public async ValueTask DisposeAsync()
    {
        _wire.Dispose();
        await _broker.DisposeAsync();
    }

    // Short, of letters and digits only, and different in every run: client identifiers and topics begin with it.
    private static string NewPrefix() => $"m{Guid.NewGuid().ToString("N", CultureInfo.InvariantCulture)[..5]}x";

    // A finding that rests between the commands of different nodes take away is no finding about one broker.
    private void RepeatSettled(Finding finding, IReadOnlyList<ProtocolVersion> versions)
    {
        var check = new ConformanceCheck(_wire, Target with { Settle = s_settleTried }, NewPrefix(), Options(versions));
        var results = check.Replay(finding.Scenario, SettledReplays, _interruption.Orderly);
        if (results.Count > 0 && !results.Any(result => result.Deviations.Any(one => one.Key == finding.Key)))
            _betweenNodes.Add(
                Invariant($"between nodes: {finding.Key}: in none of {results.Count} repetitions with ")
                    + Invariant($"--settle {s_settleTried.TotalSeconds}s; a node had not told the others yet")
            );
    }

    private CheckTarget Target =>
        new(_broker.Endpoint, _broker.Credentials)
        {
            Nodes = _broker.Endpoints.Count > 1 ? _broker.Endpoints : [],
            Settle = _request.Settle,
        };

    private Func<CheckTarget, IBackgroundLoad>? Load =>
        _request.Load is { } load ? target => load.On(target, _request.Seed) : null;

    private CheckOptions Options(IReadOnlyList<ProtocolVersion> versions) =>
        new()
        {
            Seed = _request.Seed,
            Counts = _request.Counts,
            MaximumCommandsPerSecond = _choice.RateCap,
            CountsAll = _request.WithRates,
            ShrinkTime = TimeSpan.FromSeconds(Math.Clamp(_request.Budget.TotalSeconds / 60, 20, 120)),
            Generator = new GeneratorOptions
            {
                Versions = [.. versions],
                Defects311 = _request.WithMalformed ? MalformedPackets.Names(ProtocolVersion.V311) : [],
                Defects5 = _request.WithMalformed ? MalformedPackets.Names(ProtocolVersion.V5) : [],
            },
        };

    // A version is left out only where no probe gets a CONNACK that accepts it; whatever else is wrong with the answer,
    // exploring says.
    private List<ProtocolVersion> AcceptedVersions()
    {
        if (_request.Versions.Count == 1)
            return [_request.Versions[0]];
        var accepted = new List<ProtocolVersion>();
        foreach (var version in _request.Versions)
        {
            if (Refusal(version) is { } refusal)
                _screen.Note($"MQTT {CheckDescription.Name(version)} is not checked: {refusal}");
            else
                accepted.Add(version);
        }
        if (accepted.Count > 0)
            return accepted;
        _screen.Note(
            $"No version was accepted; MQTT {CheckDescription.Name(_request.Versions[0])} is checked all the same."
        );
        return [_request.Versions[0]];
    }

    private string? Refusal(ProtocolVersion version)
    {
        string? refusal = null;
        var timing = new CheckTiming { Patience = TimeSpan.FromSeconds(2) };
        for (var probe = 0; probe < Probes && !_interruption.Orderly.IsCancellationRequested; probe++)
        {
            var result = new ScenarioRunner(_wire, Target, NewPrefix()).Run(
                ScenarioText.Parse("A connect clean", version, "probe"),
                timing
            );
            if (
                result.Monitor.Trace.Any(entry =>
                    entry is { Kind: TraceKind.Received, Packet: ConnackPacket { ReasonCode: ReasonCode.Success } }
                )
            )
                return null;
            refusal ??= result.Deviations.Count > 0 ? result.Deviations[0].Explanation : "no CONNACK accepts it";
        }
        return refusal;
    }

    // A finding may live on what other runs left on the broker. A broker that was just started shows whether its
    // command repeats it by itself.
    private void RepeatOnFreshBroker(ConformanceCheck check, Finding finding)
    {
        if (
            _choice.Specification.Kind == BrokerKind.Running
            || !finding.IsRepeated
            || _interruption.Orderly.IsCancellationRequested
        )
            return;
        IBrokerUnderTest? fresh = null;
        try
        {
            fresh = _choice.StartAsync(_interruption.Orderly).GetAwaiter().GetResult();
            var target = new CheckTarget(fresh.Endpoint, fresh.Credentials);
            var (hits, replays) = check.RepeatOn(finding, target, _interruption.Orderly);
            _onFresh[finding.Key] =
                hits > 0
                    ? Invariant($"shown in {hits} of {replays} repetitions")
                    : Invariant($"shows nothing in {replays} repetitions: it needs what the broker had seen before");
        }
        catch (Exception exception) when (exception is BrokerException or OperationCanceledException)
        {
            _screen.Note($"no fresh broker for {finding.Key}: {exception.Message}");
        }
        finally
        {
            fresh?.DisposeAsync().AsTask().GetAwaiter().GetResult();
        }
    }

    private CheckTarget? Restart()
    {
        if (_choice.Specification.Kind == BrokerKind.Running)
            return null;
        try
        {
            _broker.DisposeAsync().AsTask().GetAwaiter().GetResult();
            _broker = _choice.StartAsync(_interruption.Orderly).GetAwaiter().GetResult();
            return Target;
        }
        catch (BrokerException exception)
        {
            _screen.Warn(exception.Message);
            return null;
        }
    }
}
