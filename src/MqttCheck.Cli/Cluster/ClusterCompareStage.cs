using MqttCheck.Brokers.Clusters;
using MqttCheck.Brokers.Clusters.Verdicts;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Terminal;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Properties.Pairs;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster;

/// <summary>The stage from two topologies to verdicts on pairs of their live runs.</summary>
internal static class ClusterCompareStage
{
    /// <summary>Runs, prints and writes; returns the exit code.</summary>
    public static async Task<int> RunAsync(Screen screen, Interruption interruption, ClusterCompareRequest request)
    {
        (string Label, Topology Topology)[] clusters = [request.First, request.Second];
        foreach (var (_, topology) in clusters)
        {
            ClusterRunStage.RequireNoLoop(topology, allowLoops: false);
            ClusterRunStage.RequireReach(topology);
        }
        var json = Path.Combine(request.Directory, "cluster-comparison.json");
        OutputPath.RequireWritable(json, "--out");
        var time = clusters.Sum(cluster => ClusterVerification.RunTime(cluster.Topology).TotalSeconds);
        screen.Note(
            Invariant($"{request.Pairs} pairs of runs of {request.First.Label} and {request.Second.Label}, about ")
                + Invariant($"{request.Pairs * time / 60:0.#} min, longer where messages are missing")
        );
        List<(ClusterRunRecord First, ClusterRunRecord Second)> pairs;
        await using (var first = await Side.StartAsync(request.First.Topology, request.Seed, screen, interruption))
        await using (var second = await Side.StartAsync(request.Second.Topology, request.Seed, screen, interruption))
            pairs = await screen.ProgressAsync(
                "Compare",
                report => PairsAsync(first, second, request, new ScreenProgress(report), interruption.Orderly)
            );
        List<PairAnswer> answers = [.. request.Tests.Select(test => test.Answer)];
        var isInterrupted = interruption.Orderly.IsCancellationRequested;
        var conclusion = Conclude(pairs, answers, isInterrupted);
        Print(screen, request, pairs, answers);
        ClusterCompareFile.Write(json, request, pairs, answers, conclusion);
        screen.Line($"result: {json}");
        screen.Line($"repeat: {request.Repeat}");
        if (isInterrupted)
            screen.Note("interrupted: the result is partial");
        return ExitCode.Of(conclusion);
    }

    /// <summary>
    /// What follows: a violation of an invariant, or a statement that does not hold, refutes. A statement that is not
    /// decided withholds.
    /// </summary>
    internal static Conclusion Conclude(
        IReadOnlyList<(ClusterRunRecord First, ClusterRunRecord Second)> pairs,
        IReadOnlyList<PairAnswer> answers,
        bool isInterrupted
    )
    {
        var isRefuted =
            answers.Any(answer => answer.Holds == false)
            || pairs.Any(pair => pair.First.Outcome.Violations.Count + pair.Second.Outcome.Violations.Count > 0);
        bool? isMet =
            isRefuted ? false
            : answers.Any(answer => answer.Count == 0 || (answer.Statement.IsDecision && answer.Holds is null)) ? null
            : true;
        return Conclusions.Of(isMet, isInterrupted && !isRefuted);
    }

    // A B, B A, A B ...: what the machine goes through falls on both alike.
    private static async Task<List<(ClusterRunRecord, ClusterRunRecord)>> PairsAsync(
        Side first,
        Side second,
        ClusterCompareRequest request,
        ScreenProgress progress,
        CancellationToken cancellation
    )
    {
        var pairs = new List<(ClusterRunRecord, ClusterRunRecord)>();
        for (var pair = 0; pair < request.Pairs && !cancellation.IsCancellationRequested; pair++)
        {
            progress.Report(new((double)pair / request.Pairs, Invariant($"pair {pair + 1} of {request.Pairs}")));
            var runs = new ClusterRunRecord?[2];
            int[] turns = pair % 2 == 0 ? [0, 1] : [1, 0];
            foreach (var turn in turns)
                runs[turn] = await (turn == 0 ? first : second).Verification.RunAsync(pair, cancellation);
            // What the user cut short is no outcome.
            if (runs is not [{ } one, { } other])
                break;
            pairs.Add((one, other));
            // A load that failed says nothing of the cluster's figures.
            if (one.Failure is not null || other.Failure is not null)
                continue;
            foreach (var test in request.Tests)
                test.Add(one.Outcome, other.Outcome);
        }
        return pairs;
    }

    private static void Print(
        Screen screen,
        ClusterCompareRequest request,
        List<(ClusterRunRecord First, ClusterRunRecord Second)> pairs,
        List<PairAnswer> answers
    )
    {
        for (var pair = 0; pair < pairs.Count; pair++)
        {
            PrintRun(screen, request.First.Label, pair, pairs[pair].First);
            PrintRun(screen, request.Second.Label, pair, pairs[pair].Second);
        }
        screen.Line();
        var (first, second) = (request.First.Label, request.Second.Label);
        var table = new TextTable("statement", first, second, "answer", "interval", "verdict");
        foreach (var answer in answers)
        {
            var isTime = answer.Statement.Kind != PairStatementKind.Ratio && IsTime(answer.Statement);
            table.Add(
                $"{answer.Statement}",
                Value(answer.First, IsTime(answer.Statement)),
                Value(answer.Second, IsTime(answer.Statement)),
                Value(answer.Estimate, isTime),
                answer.Interval is { } interval
                    ? $"{Value(interval.Lower, isTime)} to {Value(interval.Upper, isTime)}"
                    : "-",
                Word(answer)
            );
        }
        table.Print(screen);
        foreach (var answer in answers)
            screen.Line(Invariant($"{answer.Statement}: {answer.Count} runs of each; {answer.Reason}"));
        screen.Line();
    }

    private static void PrintRun(Screen screen, string label, int pair, ClusterRunRecord run)
    {
        screen.Line(Invariant($"pair {pair + 1}, {label}: {ClusterRunStage.Seen(run)}"));
        if (run.Failure is { } failure)
            screen.Warn(Invariant($"pair {pair + 1}, {label}: {failure}; the pair does not count"));
        foreach (var violation in run.Outcome.Violations.Take(2))
            screen.Line($"violated: {violation.Invariant}: {label}: {violation.What}");
    }

    /// <summary>The word for an answer.</summary>
    internal static string Word(PairAnswer answer) =>
        answer switch
        {
            { Holds: true } => "holds",
            { Holds: false } => "violated",
            { Statement.IsDecision: true } => "withheld",
            _ => "estimate",
        };

    private static bool IsTime(PairStatement statement) =>
        statement.Property is { } property
            ? property.Measure is { } measure && measure.Quantity.IsDuration()
            : statement.Measure.Quantity.IsDuration();

    private static string Value(double? value, bool isTime) =>
        value is not { } known ? "-"
        : isTime ? Invariant($"{known:0.##} ms")
        : Invariant($"{known:0.####}");

    /// <summary>One of the two clusters, started.</summary>
    private sealed class Side : IAsyncDisposable
    {
        private readonly IClusterUnderTest _cluster;

        private Side(IClusterUnderTest cluster, ClusterVerification verification) =>
            (_cluster, Verification) = (cluster, verification);

        /// <summary>Makes its runs.</summary>
        public ClusterVerification Verification { get; }

        /// <summary>Starts a cluster.</summary>
        public static async Task<Side> StartAsync(
            Topology topology,
            ulong seed,
            Screen screen,
            Interruption interruption
        )
        {
            var sink = new ClusterRunSink();
            var events = new LiveClusterEvents(sink);
            var launcher = new ClusterLauncher(
                new ClusterLaunchOptions
                {
                    Brokers = new BrokerLaunchOptions { NodeProgram = OwnProgram.Node },
                    Observer = events,
                    Notes = events,
                    Seed = seed,
                }
            );
            var cluster = await launcher.StartAsync(topology, ClusterRunStage.Joining(topology), interruption.Orderly);
            try
            {
                ClusterRunStage.RequireFaults(cluster);
                screen.Note($"{cluster.Description.Name}: {topology.Nodes.Count} nodes run");
                var options = new ClusterVerificationOptions
                {
                    Tests = [],
                    MostRuns = 1,
                    Seed = seed,
                };
                return new Side(cluster, new ClusterVerification(cluster, events, sink, options, screen.Time));
            }
            catch
            {
                await cluster.DisposeAsync();
                throw;
            }
        }

        public ValueTask DisposeAsync() => _cluster.DisposeAsync();
    }
}
