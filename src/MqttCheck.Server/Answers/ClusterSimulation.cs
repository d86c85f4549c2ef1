using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Server.Questions;
using MqttCheck.Text;
using static System.FormattableString;

namespace MqttCheck.Server.Answers;

/// <summary>Predicts properties of a cluster, as 'mqttcheck cluster predict' does.</summary>
internal static class ClusterSimulation
{
    /// <summary>The name of the event that holds <see cref="ClusterAnswers"/>.</summary>
    public const string Event = "cluster";

    private const int Replications = 200;
    private const int Chunk = 8;

    // The defaults of the command.
    private const double Error = .01,
        Indifference = .05;

    /// <summary>Simulates every variant; each chunk of replications makes an event.</summary>
    /// <param name="report">Is given each event: its name and what it holds.</param>
    /// <exception cref="InputException">The cluster cannot be simulated.</exception>
    public static void Run(ClusterQuestion question, Action<string, object> report, CancellationToken cancellation)
    {
        var tests = question
            .Variants.Select(variant =>
                variant
                    .Topology.Scenario.Properties.Select(property => new ClusterPropertyTest(
                        ClusterProperty.Parse(property.Text, property.Source),
                        Error,
                        Indifference
                    ))
                    .ToArray()
            )
            .ToArray();
        for (var variant = 0; variant < tests.Length; variant++)
        {
            var replications = new ClusterReplications(
                question.Variants[variant].Topology,
                tests[variant].SelectMany(test => test.Property.Measures).Any(NeedsProbes)
            );
            for (var first = 0; first < Replications && !tests[variant].All(test => test.IsDecided); first += Chunk)
            {
                var last = Math.Min(first + Chunk, Replications) - 1;
                foreach (var outcome in replications.Run(question.Seed, first, last, cancellation))
                foreach (var test in tests[variant].Where(test => !test.IsDecided))
                    test.Add(outcome);
                cancellation.ThrowIfCancellationRequested();
                if (first % (5 * Chunk) == 0)
                    report(Event, AnswerOf(question, tests, false));
            }
        }
        report(Event, AnswerOf(question, tests, true));
    }

    private static bool NeedsProbes(ClusterMeasure measure) =>
        measure.Quantity is ClusterQuantity.Repair or ClusterQuantity.Blackout;

    private static ClusterAnswers AnswerOf(ClusterQuestion question, ClusterPropertyTest[][] tests, bool isFinal)
    {
        var topology = question.Variants[0].Topology;
        return new(
            question.Request,
            isFinal,
            CommandOf(question, topology),
            [.. topology.Nodes.Select(node => node.Name)],
            [.. topology.Links.Select(link => (int[])[link.From, link.To])],
            [
                .. tests.SelectMany(
                    (properties, variant) =>
                        properties.Select(test => RowOf(question.Variants[variant].Label, test.Answer))
                ),
            ]
        );
    }

    private static ClusterRow RowOf(string label, ClusterAnswer answer) =>
        new(
            label,
            $"{answer.Property}",
            Finite(answer.Estimate),
            Finite(answer.Interval?.Lower),
            Finite(answer.Interval?.Upper),
            answer.Runs,
            answer.Holds,
            answer.Reason
        );

    private static double? Finite(double? value) => value is { } known && double.IsFinite(known) ? known : null;

    private static string CommandOf(ClusterQuestion question, Topology topology)
    {
        string[] words =
        [
            "mqttcheck",
            "cluster",
            "predict",
            question.Family,
            .. topology.Scenario.Properties.SelectMany(property => (string[])["--property", property.Text]),
            .. topology.Scenario.Faults.SelectMany(fault => (string[])["--fault", $"{fault}"]),
            .. question.Vary.Length == 0 ? (string[])[] : ["--vary", question.Vary],
            "--replications",
            Invariant($"{Replications}"),
            "--seed",
            Invariant($"{question.Seed}"),
        ];
        return string.Join(' ', words.Select(ShellWord.Quoted));
    }
}
