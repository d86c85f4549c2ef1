using System.Globalization;
using MqttCheck.Brokers.Conformance;
using MqttCheck.Brokers.Loads;
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
using MqttCheck.Text;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Check;

/// <summary>The stage from a broker to findings.</summary>
/// <param name="broker">The broker as it was started or reached; the stage stops it.</param>
internal sealed class CheckStage(
    Screen screen,
    Interruption interruption,
    BrokerChoice choice,
    CheckRequest request,
    IBrokerUnderTest broker
) : IAsyncDisposable
{
    // A broker that refuses now and then is not one that does not speak a version.
    private const int Probes = 5;
    private const int SettledReplays = 3;
    private static readonly TimeSpan s_settleTried = TimeSpan.FromSeconds(1);

    private readonly IWire _wire = WireFactory.Create(new WireOptions());
    private readonly DateTimeOffset _started = screen.Time.GetUtcNow();
    private readonly Dictionary<string, string> _onFresh = new(StringComparer.Ordinal);
    private readonly List<string> _betweenNodes = [];
    private IBrokerUnderTest _broker = broker;

    /// <summary>Explores, prints findings and the table of statements, and writes the files.</summary>
    public async Task<Conclusion> ExploreAsync()
    {
        var versions = AcceptedVersions();
        var found = 0;
        var report = await screen.ProgressAsync(
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
                                Math.Min(1, (_wire.NowNanoseconds - began) / 1e9 / request.Budget.TotalSeconds),
                                Invariant($"{scenarios} scenarios, {found} findings, {what}")
                            ),
                    };
                    var explored = check.Explore(request.Budget, interruption.Orderly);
                    foreach (var finding in explored.Findings.Where(finding => finding.ExplainedBy is null))
                    {
                        progress(1, $"repeating {finding.Key} on a fresh broker");
                        RepeatOnFreshBroker(check, finding);
                        if (_broker.Endpoints.Count > 1 && request.Settle == TimeSpan.Zero)
                            RepeatSettled(finding, versions);
                    }
                    return explored;
                })
        );
        var document = new CheckDescription(request, _onFresh).Of(report, versions) with
        {
            Broker = choice.Specification.Name,
            BrokerVersion = _broker.Description.Version,
            Started = _started,
            Interrupted = interruption.Orderly.IsCancellationRequested,
        };
        CheckFile.Write(request.Output, document);
        if (request.Summary is { } summary)
            AtomicFile.Write(summary, CheckFile.Summary(document));
        if (request.Format is { } format)
            FindingsReport.Output(document, screen.Time.GetUtcNow()).Print(screen, format);
        else
            new CheckText(screen, request).Print(report, document);
        foreach (var line in _betweenNodes)
            screen.Line(line);
        if (report.BrokerLost)
            screen.Warn("the broker was lost and could not be started again: the result is partial");
        if (document.Interrupted)
        {
            screen.Note("interrupted: the result is partial");
            return Conclusion.Interrupted;
        }
        return report.Conclusion;
    }

    /// <summary>Repeats a scenario and prints what deviates.</summary>
    public Conclusion Replay(string text, string where, int times)
    {
        var version = request.Versions[0];
        var scenario = ScenarioText.Parse(text, version, where);
        var check = new ConformanceCheck(_wire, Target, NewPrefix(), Options([version]))
        {
            Load = Load,
            Beside = [.. request.Beside.Select(beside => ScenarioText.Parse(beside, version, "--beside"))],
        };
        var results = check.Replay(scenario, times, interruption.Orderly);
        var keys = results
            .SelectMany(result => result.Deviations)
            .Where(Counts)
            .GroupBy(deviation => deviation.Key)
            .ToList();
        var shown = results.FirstOrDefault(result => result.Deviations.Any(Counts)) ?? results[0];
        foreach (var line in Transcript.Of(shown.Monitor.Trace, shown.Names, shown.Monitor.Trace.Count))
            screen.Line(line);
        screen.Line();
        foreach (var key in keys)
        {
            var first = key.First();
            var hits = results.Count(result => result.Deviations.Any(deviation => deviation.Key == key.Key));
            screen.Line(
                $"{first.Statement.Id(version)} ({CheckDescription.Name(first.Statement.Class)}) "
                    + $"{hits} of {results.Count}: {shown.Names.Symbolic(first.Explanation)}"
            );
        }
        if (keys.Count == 0)
            screen.Line($"no deviation in {results.Count} repetitions");
        return interruption.End(
            screen,
            keys.Any(key => key.First().Statement.Class == StatementClass.Must)
                ? Conclusion.Refuted
                : Conclusion.Success
        );

        bool Counts(Deviation deviation) => request.Counts(deviation.Statement);
    }

    /// <summary>Stops what was started.</summary>
    public async ValueTask DisposeAsync()
    {
        _wire.Dispose();
        await _broker.DisposeAsync();
    }

    // Short, of letters and digits only, and different in every run: client identifiers and topics begin with it.
    private static string NewPrefix() => $"m{Guid.NewGuid().ToString("N", CultureInfo.InvariantCulture)[..5]}x";

    // A finding is not about one broker if it disappears when the test rests between the commands of different nodes.
    private void RepeatSettled(Finding finding, IReadOnlyList<ProtocolVersion> versions)
    {
        var check = new ConformanceCheck(_wire, Target with { Settle = s_settleTried }, NewPrefix(), Options(versions));
        var results = check.Replay(finding.Scenario, SettledReplays, interruption.Orderly);
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
            Settle = request.Settle,
        };

    private Func<CheckTarget, IBackgroundLoad>? Load =>
        request.Load is { } load ? target => load.On(target, request.Seed) : null;

    private CheckOptions Options(IReadOnlyList<ProtocolVersion> versions) =>
        new()
        {
            Seed = request.Seed,
            Counts = request.Counts,
            MaximumCommandsPerSecond = choice.RateCap,
            CountsAll = request.WithRates,
            ShrinkTime = TimeSpan.FromSeconds(Math.Clamp(request.Budget.TotalSeconds / 60, 20, 120)),
            Generator = new GeneratorOptions
            {
                Versions = [.. versions],
                Defects311 = request.WithMalformed ? MalformedPackets.Names(ProtocolVersion.V311) : [],
                Defects5 = request.WithMalformed ? MalformedPackets.Names(ProtocolVersion.V5) : [],
            },
        };

    // A version is left out only if no probe gets an accepting CONNACK. Exploration reports any other errors of the
    // answer.
    private List<ProtocolVersion> AcceptedVersions()
    {
        if (request.Versions.Count == 1)
            return [request.Versions[0]];
        var accepted = new List<ProtocolVersion>();
        foreach (var version in request.Versions)
        {
            if (Refusal(version) is { } refusal)
                screen.Note($"MQTT {BrokerVersions.Name(version)} is not checked: {refusal}");
            else
                accepted.Add(version);
        }
        if (accepted.Count > 0)
            return accepted;
        screen.Note(
            $"No version was accepted; MQTT {BrokerVersions.Name(request.Versions[0])} is checked all the same."
        );
        return [request.Versions[0]];
    }

    private string? Refusal(ProtocolVersion version)
    {
        string? refusal = null;
        var timing = new CheckTiming { Patience = TimeSpan.FromSeconds(2) };
        for (var probe = 0; probe < Probes && !interruption.Orderly.IsCancellationRequested; probe++)
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
            choice.Specification.Kind == BrokerKind.Running
            || !finding.IsRepeated
            || interruption.Orderly.IsCancellationRequested
        )
            return;
        IBrokerUnderTest? fresh = null;
        try
        {
            fresh = choice.StartAsync(interruption.Orderly).GetAwaiter().GetResult();
            var target = new CheckTarget(fresh.Endpoint, fresh.Credentials);
            var (hits, replays) = check.RepeatOn(finding, target, interruption.Orderly);
            _onFresh[finding.Key] =
                hits > 0
                    ? Invariant($"shown in {hits} of {replays} repetitions")
                    : Invariant($"shows nothing in {replays} repetitions: it needs what the broker had seen before");
        }
        catch (Exception exception) when (exception is BrokerException or OperationCanceledException)
        {
            screen.Note($"no fresh broker for {finding.Key}: {exception.Message}");
        }
        finally
        {
            fresh?.DisposeAsync().AsTask().GetAwaiter().GetResult();
        }
    }

    private CheckTarget? Restart()
    {
        if (choice.Specification.Kind == BrokerKind.Running)
            return null;
        try
        {
            _broker.DisposeAsync().AsTask().GetAwaiter().GetResult();
            _broker = choice.StartAsync(interruption.Orderly).GetAwaiter().GetResult();
            return Target;
        }
        catch (BrokerException exception)
        {
            screen.Warn(exception.Message);
            return null;
        }
    }
}
