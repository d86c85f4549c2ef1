using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Rights;
using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using static System.FormattableString;

namespace MqttCheck.App.Check;

/// <summary>The stage from a broker to findings.</summary>
/// <param name="broker">The broker as it was started or reached; the stage stops it.</param>
internal sealed class CheckStage(Workplace place, BrokerChoice choice, CheckRequest request, IBrokerUnderTest broker)
    : IAsyncDisposable
{
    private const int SettledReplays = 3;
    private static readonly TimeSpan s_settleTried = TimeSpan.FromSeconds(1);

    private readonly IWire _wire = WireFactory.Create(new WireOptions());
    private readonly DateTimeOffset _started = place.Time.GetUtcNow();
    private readonly Dictionary<string, string> _onFresh = new(StringComparer.Ordinal);
    private readonly List<string> _betweenNodes = [];
    private IBrokerUnderTest _broker = broker;

    /// <summary>Explores the broker, and repeats what was found on a fresh one.</summary>
    public async Task<CheckAnswer> ExploreAsync()
    {
        var versions = AcceptedVersions();
        await Task.Run(() =>
        {
            foreach (var version in versions)
                RequireRights(version);
        });
        var found = 0;
        var report = await place.Progress.ProgressAsync(
            "Check",
            progress =>
                Task.Run(() =>
                {
                    var began = _wire.NowNanoseconds;
                    var check = new ConformanceCheck(_wire, Target, ScenarioRunner.NewPrefix(), Options(versions))
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
                    var explored = check.Explore(request.Budget, place.Orderly);
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
        var document = new CheckDescription(request, _onFresh).Of(
            report,
            versions,
            (choice.Specification.Name, _broker.Description.Version),
            _started,
            place.Orderly.IsCancellationRequested
        );
        return new(report, document, _betweenNodes);
    }

    /// <summary>Repeats a scenario.</summary>
    /// <param name="where">Where the scenario is from, for messages.</param>
    /// <exception cref="InputException">The text is no scenario.</exception>
    public ReplayAnswer Replay(string text, string where, int times)
    {
        var version = request.Versions[0];
        var scenario = ScenarioText.Parse(text, version, where);
        RequireRights(version);
        var check = new ConformanceCheck(_wire, Target, ScenarioRunner.NewPrefix(), Options([version]))
        {
            Load = Load,
            Beside = [.. request.Beside.Select(beside => ScenarioText.Parse(beside, version, "--beside"))],
        };
        return new(request, check.Replay(scenario, times, place.Orderly));
    }

    /// <summary>Stops what was started.</summary>
    public async ValueTask DisposeAsync()
    {
        _wire.Dispose();
        await _broker.DisposeAsync();
    }

    // A finding is not about one broker if it disappears when the test rests between the commands of different nodes.
    private void RepeatSettled(Finding finding, IReadOnlyList<ProtocolVersion> versions)
    {
        var check = new ConformanceCheck(
            _wire,
            Target with
            {
                Settle = s_settleTried,
            },
            ScenarioRunner.NewPrefix(),
            Options(versions)
        );
        var results = check.Replay(finding.Scenario, SettledReplays, place.Orderly);
        if (results.Count > 0 && !results.Any(result => result.Deviations.Any(one => one.Key == finding.Key)))
            _betweenNodes.Add(
                Invariant($"between nodes: {finding.Key}: in none of {results.Count} repetitions with ")
                    + Invariant($"--settle {s_settleTried.TotalSeconds}s; a node had not told the others yet")
            );
    }

    private CheckTarget Target => CheckTarget.Of(_broker) with { Settle = request.Settle };

    private void RequireRights(ProtocolVersion version) =>
        CheckRights.Require(
            _broker,
            version,
            ScenarioRunner.NewPrefix(),
            warning => place.Progress.Warn(warning),
            place.Orderly
        );

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
                StaysBelowPrefix = _broker.TopicPrefix.Length > 0,
                Versions = [.. versions],
                Defects311 = request.WithMalformed ? MalformedPackets.Names(ProtocolVersion.V311) : [],
                Defects5 = request.WithMalformed ? MalformedPackets.Names(ProtocolVersion.V5) : [],
            },
        };

    private List<ProtocolVersion> AcceptedVersions()
    {
        if (request.Versions.Count == 1)
            return [request.Versions[0]];
        var accepted = new List<ProtocolVersion>();
        foreach (var version in request.Versions)
        {
            if (ScenarioRunner.Refusal(_wire, Target, version, place.Orderly) is { } refusal)
                place.Progress.Note($"MQTT {BrokerVersions.Name(version)} is not checked: {refusal}");
            else
                accepted.Add(version);
        }
        if (accepted.Count > 0)
            return accepted;
        place.Progress.Note(
            $"No version was accepted; MQTT {BrokerVersions.Name(request.Versions[0])} is checked all the same."
        );
        return [request.Versions[0]];
    }

    // A finding may live on what other runs left on the broker. A broker that was just started shows whether its
    // command repeats it by itself.
    private void RepeatOnFreshBroker(ConformanceCheck check, Finding finding)
    {
        if (
            choice.Specification.Kind == BrokerKind.Running
            || !finding.IsRepeated
            || place.Orderly.IsCancellationRequested
        )
            return;
        IBrokerUnderTest? fresh = null;
        try
        {
            fresh = choice.StartAsync(place.Orderly).GetAwaiter().GetResult();
            var target = CheckTarget.Of(fresh);
            var (hits, replays) = check.RepeatOn(finding, target, place.Orderly);
            _onFresh[finding.Key] =
                hits > 0
                    ? Invariant($"shown in {hits} of {replays} repetitions")
                    : Invariant($"shows nothing in {replays} repetitions: it needs what the broker had seen before");
        }
        catch (Exception exception) when (exception is BrokerException or OperationCanceledException)
        {
            place.Progress.Note($"no fresh broker for {finding.Key}: {exception.Message}");
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
            _broker = choice.StartAsync(place.Orderly).GetAwaiter().GetResult();
            return Target;
        }
        catch (BrokerException exception)
        {
            place.Progress.Warn(exception.Message);
            return null;
        }
    }
}
