using System.CommandLine;
using MqttCheck.App.Clusters.Compare;
using MqttCheck.App.Clusters.Predict;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Terminal;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Cluster;

/// <summary><c>mqttcheck cluster compare</c>: live runs of two clusters in turn.</summary>
internal sealed class ClusterCompareCommand(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
{
    private static readonly string[] s_usual =
    [
        "ratio[ throughput ]",
        "difference[ retransmitted ]",
        "difference[ delivery ]",
    ];

    private readonly Option<string> _system = ClusterOptions.FamilySystem();
    private readonly LiveClusterOptions _live = new("the files say", "verdict or interval", "cluster-comparison.json");

    private readonly Argument<string[]> _files = new("topologies")
    {
        HelpName = "FILE|NAME|FAMILY",
        Description = "Two topologies; or one, with --vary and two values.",
        Arity = new ArgumentArity(1, 2),
    };

    private readonly Option<string?> _vary = new("--vary")
    {
        HelpName = "VARIATION",
        Description = "Two variants of the one topology, such as 'design=4.18,4.17' or 'hop=qos1,qos2'.",
    };

    private readonly Option<string[]> _properties = new("--property", "-p")
    {
        HelpName = "STATEMENT",
        Description =
            "What is asked, such as 'ratio[ throughput ] in 1.6 to 2', 'difference[ delivery ] within 5ms', or a "
            + "property of one cluster, 'first: P>=0.9[ retransmitted = 0 ]'. Repeatable. Without it the throughput, "
            + "what was sent again, and the delivery times are compared.",
    };

    private readonly Option<int?> _pairs = new("--pairs")
    {
        HelpName = "N",
        Description = "How many runs are made of each cluster. Default 8, or as many as a property takes.",
        CustomParser = result => Values.Integer(2, 10_000)(result),
    };

    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var options = new ClusterCompareCommand(screen, interruption, arguments);
        var command = new Command(
            "compare",
            "Runs two clusters live in turn, and compares what they do. Exit code 1 if a statement does not hold, 4 if "
                + "one is not decided."
        )
        {
            options._files,
            options._system,
            options._vary,
            options._properties,
            options._pairs,
            options._live.For,
            options._live.Error,
            options._live.Indifference,
            options._live.Assume,
            options._live.Seed,
            options._live.Output,
        };
        options._live.AddAccessTo(command);
        command.Concludes((parse, _) => options.RunAsync(parse));
        return command;
    }

    private async Task<Conclusion> RunAsync(ParseResult parse)
    {
        var (first, second) = Clusters(parse);
        var tests = ClusterCompareRequest.TestsOf(
            first.Topology,
            second.Topology,
            parse.GetValue(_properties) is { Length: > 0 } given ? given : s_usual,
            parse.GetValue(_live.Error),
            parse.GetValue(_live.Indifference),
            ClusterOptions.AssumesNormal(parse, _live.Assume)
        );
        var seed = parse.GetValue(_live.Seed);
        var request = new ClusterCompareRequest(
            first,
            second,
            tests,
            parse.GetValue(_live.Error),
            parse.GetValue(_pairs) ?? ClusterCompareRequest.UsualPairs(tests),
            seed,
            Repeat.CommandLine(arguments, seed)
        )
        {
            Access = _live.AccessTo(parse, first.Topology, second.Topology),
        };
        request.Require();
        var json = Path.Combine(parse.GetValue(_live.Output)!.FullName, "cluster-comparison.json");
        OutputPath.RequireWritable(json, "--out");
        var answer = await ClusterCompareStage.RunAsync(interruption.At(screen), OwnProgram.Node, request);
        ClusterCompareText.Print(screen, request, answer);
        ClusterResultFile.Write(json, request, answer);
        screen.Line($"result: {json}");
        screen.Line($"repeat: {request.Repeat}");
        screen.NotePartial(answer.IsInterrupted);
        return answer.Conclusion;
    }

    private ((string Label, Topology Topology) First, (string Label, Topology Topology) Second) Clusters(
        ParseResult parse
    )
    {
        List<(string Label, Topology Topology)> clusters =
        [
            .. ClusterOptions.Read(parse, parse.GetValue(_files)!, _system).Select(one => (one.Name, one)),
        ];
        if (parse.GetValue(_vary) is { } vary)
        {
            if (clusters.Count > 1)
                throw new InputException("--vary: two topologies are given; allowed: with one topology.");
            clusters = [.. TopologyVariation.Of(clusters[0].Topology, vary, "--vary")];
            if (clusters.Count != 2)
                throw new InputException(
                    FormattableString.Invariant($"--vary: '{vary}' has {clusters.Count} values; allowed: two values.")
                );
        }
        if (clusters.Count != 2)
            throw new InputException(
                "topologies: one topology is given; allowed: two topologies, or one with --vary, such as "
                    + "--vary design=4.18,4.17."
            );
        if (clusters[0].Label == clusters[1].Label)
            clusters = [("first", clusters[0].Topology), ("second", clusters[1].Topology)];
        var (first, second) = (clusters[0], clusters[1]);
        return ((first.Label, Changed(first.Topology)), (second.Label, Changed(second.Topology)));

        Topology Changed(Topology topology) =>
            new ScenarioChange("cluster compare")
            {
                Duration = parse.GetValue(_live.For),
                TopicPrefix = _live.Access.TopicPrefix(parse, topology.Scenario.TopicPrefix),
            }.Of(topology);
    }
}
