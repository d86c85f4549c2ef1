using System.Diagnostics;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Roles.Running;
using MqttCheck.Conformance.Roles.Scripts;
using MqttCheck.Conformance.Roles.Watching;
using MqttCheck.Protocol;
using static System.FormattableString;

namespace MqttCheck.Conformance.Roles.Searching;

/// <summary>Plays scripts to a client, and shrinks and confirms each deviation.</summary>
internal sealed class ClientCheck(
    Func<BrokerScript, TimeSpan, CancellationToken, Task<PlayedRun>> play,
    ClientCheckOptions options
) : IDisposable
{
    // Exploring and looking into what was found take turns: the shares of the time at which each ends.
    private static readonly (double Exploring, double Looking)[] s_turns = [(.25, .55), (.75, 1)];

    // So many runs of a deviation are tried.
    private const int MostRuns = 3;

    // So many keep the lanes busy.
    private const int LookedIntoAtOnce = 4;

    // A client that did not connect so often is not going to.
    private const int TriesToConnect = 3;

    private readonly SemaphoreSlim _lanes = new(options.Lanes);
    private readonly Stopwatch _time = Stopwatch.StartNew();
    private readonly Dictionary<string, List<PlayedRun>> _open = new(StringComparer.Ordinal);
    private readonly Dictionary<string, ClientFinding> _looked = new(StringComparer.Ordinal);
    private readonly Dictionary<Statement, long> _exercised = new(ReferenceEqualityComparer.Instance);
    private readonly Lock _lock = new();
    private int _number;
    private long _scripts;
    private long _acts;
    private readonly HashSet<ProtocolVersion> _versions = [];
    private string _output = "";

    /// <summary>Is told the share of the time that has passed, and a few words.</summary>
    public Action<double, string> Progress { get; init; } = (_, _) => { };

    /// <summary>Which statements count.</summary>
    public Func<Statement, bool> Counts { get; init; } = _ => true;

    /// <summary>Explores for the time of the options.</summary>
    public async Task<ClientReport> ExploreAsync(CancellationToken cancellation)
    {
        var exploring = TimeSpan.Zero;
        try
        {
            foreach (var (until, looking) in s_turns)
            {
                var began = _time.Elapsed;
                await ExploreAsync(options.Budget * until, cancellation);
                exploring += _time.Elapsed - began;
                if (!HasConnected)
                    break;
                await LookAsync(options.Budget * looking, cancellation);
            }
        }
        catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
        {
            // There is a report of what there is.
        }
        var looked = _looked.Values.OrderBy(finding => finding.Deviation.Statement.Class).ToList();
        return new()
        {
            Findings = Folded([.. looked.Where(finding => finding.IsConfirmed).Select(Explained)]),
            Suspicions = [.. looked.Where(finding => !finding.IsConfirmed)],
            NotLookedInto = _open
                .Where(pair => !_looked.ContainsKey(pair.Key))
                .ToDictionary(pair => pair.Key, pair => pair.Value[0]),
            Versions = _versions,
            Exercised = _exercised,
            Scripts = _scripts,
            Acts = _acts,
            Exploring = exploring,
            NeverConnected = HasConnected ? null : _output,
        };
    }

    /// <summary>Plays a script again and again.</summary>
    public async Task<IReadOnlyList<PlayedRun>> ReplayAsync(
        BrokerScript script,
        int times,
        CancellationToken cancellation
    ) =>
        await Task.WhenAll(
            Enumerable.Range(0, times).Select(_ => PlayAsync(script, options.ConfirmingPatience, cancellation))
        );

    public void Dispose() => _lanes.Dispose();

    private async Task ExploreAsync(TimeSpan until, CancellationToken cancellation)
    {
        await Task.WhenAll(Enumerable.Range(0, options.Lanes).Select(_ => ExploreLaneAsync(until, cancellation)));
    }

    private async Task ExploreLaneAsync(TimeSpan until, CancellationToken cancellation)
    {
        while (_time.Elapsed < until)
        {
            BrokerScript script;
            lock (_lock)
            {
                if (_number >= options.MostScripts || (!HasConnected && _scripts >= TriesToConnect))
                    return;
                script = BrokerScriptGenerator.Draw(options.Seed, _number++, options.WithMalformed);
            }
            var run = await PlayAsync(script, options.Patience, cancellation);
            lock (_lock)
                Note(run);
            Progress(Share, Invariant($"{_scripts} scripts, {_open.Count} kinds of deviations"));
        }
    }

    private bool IsTimeOver => _time.Elapsed >= options.Budget;

    private bool HasConnected => _versions.Count > 0;

    private double Share => Math.Min(1, _time.Elapsed / options.Budget);

    private void Note(PlayedRun run)
    {
        _scripts++;
        _acts += run.Script.Acts.Count;
        if (run.Version is { } version)
            _versions.Add(version);
        _output = run.Output;
        foreach (var (statement, times) in run.Exercised)
            _exercised[statement] = _exercised.GetValueOrDefault(statement) + times;
        Remember(run);
    }

    // Some runs show a deviation by luck, so several are kept, that of the shortest script first.
    private void Remember(PlayedRun run)
    {
        foreach (var key in run.Deviations.Where(one => Counts(one.Statement)).Select(one => one.Key).Distinct())
        {
            var runs = _open.GetOrNew(key);
            if (runs.Exists(other => other.Script == run.Script))
                continue;
            runs.Add(run);
            runs.Sort((one, other) => one.Script.Acts.Count.CompareTo(other.Script.Acts.Count));
            if (runs.Count > MostRuns)
                runs.RemoveAt(1);
        }
    }

    private async Task LookAsync(TimeSpan until, CancellationToken cancellation)
    {
        var open = _open
            .Where(pair => !_looked.ContainsKey(pair.Key))
            .OrderBy(pair => Of(pair.Value[0], pair.Key)!.Statement.Class)
            .ThenBy(pair => Of(pair.Value[0], pair.Key)!.Entry)
            .Select(pair => pair.Key)
            .ToList();
        // Scripts that were under way may have taken all of the time. The first deviation is looked into all the same.
        var first = open.FirstOrDefault();
        await Parallel.ForEachAsync(
            open,
            new ParallelOptions { MaxDegreeOfParallelism = LookedIntoAtOnce, CancellationToken = cancellation },
            async (key, _) =>
            {
                if (_time.Elapsed >= until && key != first)
                    return;
                Progress(Share, $"looking into {key}");
                var finding = await LookIntoAsync(key, cancellation);
                lock (_lock)
                    _looked[key] = finding;
            }
        );
    }

    private async Task<ClientFinding> LookIntoAsync(string key, CancellationToken cancellation)
    {
        List<PlayedRun> runs;
        lock (_lock)
            runs = [.. _open[key]];
        ClientFinding? best = null;
        // A deviation that comes in some runs only is shrunk again, and then each part has to show it twice.
        foreach (var (seen, times) in runs.Select(run => (run, 1)).Append((runs[^1], 2)))
        {
            var finding = await LookIntoAsync(key, seen, times, cancellation);
            if (best is null || finding.LeastShare > best.LeastShare)
                best = finding;
            if (best.Hits == best.Replays || IsTimeOver)
                break;
        }
        return best!;
    }

    private async Task<ClientFinding> LookIntoAsync(
        string key,
        PlayedRun seen,
        int times,
        CancellationToken cancellation
    )
    {
        var began = _time.Elapsed;
        var plain = await PlainAsync(key, seen, cancellation);
        if (plain is not null && HasAnother(Of(plain, key)!.Statement))
            return Finding(key, seen, plain.Script, _time.Elapsed - began, [plain]);
        var script = plain?.Script ?? await ScriptShrinker.ShrinkAsync(seen.Script, Shows);
        var shrinking = _time.Elapsed - began;
        return Finding(key, seen, script, shrinking, await ReplayAsync(script, options.Repetitions, cancellation));

        async Task<bool[]> Shows(IReadOnlyList<BrokerScript> shorter)
        {
            if (IsTimeOver)
                return new bool[shorter.Count];
            var played = await Task.WhenAll(
                shorter
                    .SelectMany(one => Enumerable.Repeat(one, times))
                    .Select(one => PlayAsync(one, options.Patience, cancellation))
            );
            lock (_lock)
                foreach (var run in played)
                    Remember(run);
            return [.. played.Chunk(times).Select(same => same.All(run => Of(run, key) is not null))];
        }
    }

    private static ClientFinding Finding(
        string key,
        PlayedRun seen,
        BrokerScript script,
        TimeSpan shrinking,
        IReadOnlyList<PlayedRun> replays
    )
    {
        var shown = replays.FirstOrDefault(run => Of(run, key) is not null) ?? seen;
        return new()
        {
            Deviation = Of(shown, key)!,
            Script = script,
            Run = shown,
            FoundWith = seen.Script.Acts.Count,
            Shrinking = shrinking,
            Replays = replays.Count,
            Hits = replays.Count(run => Of(run, key) is not null),
        };
    }

    // The plainest script with a hostile packet most often shows the same. Its answer to a message comes at once.
    private async Task<PlayedRun?> PlainAsync(string key, PlayedRun seen, CancellationToken cancellation)
    {
        if (!IsFolded(Of(seen, key)!.Statement))
            return null;
        if (seen.Script.Acts.ToArray().FirstOrDefault(act => act.Verb == BrokerVerbs.Malformed) is not { } hostile)
            return null;
        var plain = new BrokerScript([
            BrokerAct.Plain(BrokerVerbs.Accept),
            new(BrokerVerbs.Await, ["subscribe"]),
            hostile,
        ]);
        var run = await PlayAsync(plain, options.Patience, cancellation);
        return Of(run, key) is null ? null : run;
    }

    private bool HasAnother(Statement statement)
    {
        lock (_lock)
            return IsFolded(statement)
                && _looked.Values.Any(finding => finding.Deviation.Statement == statement && finding.IsConfirmed);
    }

    private static bool IsFolded(Statement statement) =>
        statement == ClientStatements.Malformed || statement == ClientStatements.MalformedDetected;

    // A client that does not look at what comes overlooks many defects, which is one finding.
    private static List<ClientFinding> Folded(IReadOnlyList<ClientFinding> findings)
    {
        List<ClientFinding> folded = [];
        foreach (var group in findings.GroupBy(finding => finding.Deviation.Statement))
        {
            var all = group.ToList();
            if (IsFolded(group.Key))
                folded.Add(
                    all[0] with
                    {
                        AlsoAs =
                        [
                            .. all.Skip(1)
                                .Select(finding => finding.Deviation.Circumstances)
                                .Order(StringComparer.Ordinal),
                        ],
                    }
                );
            else
                folded.AddRange(all);
        }
        return folded;
    }

    // A finding that comes first in the run of another may be its cause.
    private ClientFinding Explained(ClientFinding finding)
    {
        var first = finding.Run.Deviations.FirstOrDefault(deviation =>
            deviation.Key != finding.Deviation.Key
            && deviation.Entry < finding.Deviation.Entry
            && _looked.TryGetValue(deviation.Key, out var other)
            && other.IsConfirmed
        );
        return first is null ? finding : finding with { ExplainedBy = first.Key };
    }

    private static Deviation? Of(PlayedRun run, string key) =>
        run.Deviations.FirstOrDefault(deviation => deviation.Key == key);

    private async Task<PlayedRun> PlayAsync(BrokerScript script, TimeSpan patience, CancellationToken cancellation)
    {
        await _lanes.WaitAsync(cancellation);
        try
        {
            return await play(script, patience, cancellation);
        }
        finally
        {
            _lanes.Release();
        }
    }
}
