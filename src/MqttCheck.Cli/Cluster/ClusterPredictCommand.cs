using System.CommandLine;
using MqttCheck.App.Clusters.Predict;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Workers;
using MqttCheck.ClusterProtocols.Predicting;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Shards;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster;

/// <summary><c>mqttcheck cluster predict</c>: properties of a cluster's runs, by simulation.</summary>
internal sealed class ClusterPredictCommand(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
{
    private const int MostShown = 5;

    private readonly Option<string> _system = ClusterOptions.FamilySystem();
    private readonly Option<string?> _rules = ClusterOptions.Rules();
    private readonly Option<string?> _ids = ClusterOptions.Ids();
    private readonly Option<ulong> _seed = CommonOptions.Seed();
    private readonly WorkersOption _workers = new();

    private readonly Argument<string[]> _files = new("topologies")
    {
        HelpName = "FILE|NAME|FAMILY",
        Description = "One topology or several: JSON files, names, or families such as mesh:5.",
        Arity = ArgumentArity.OneOrMore,
    };

    private readonly Option<string[]> _properties = new("--property", "-p")
    {
        HelpName = "PROPERTY",
        Description =
            "What to predict, such as 'P[ repair < 5s ]', 'Q0.95[ delivery ]' or 'E[ lost ]'. Repeatable. "
            + "Default: the properties of the file.",
    };

    private readonly Option<string[]> _faults = new("--fault")
    {
        HelpName = "FAULT",
        Description = "A fault, such as 'kill n1 at 20s for 10s'. Repeatable. Default: the faults of the file.",
    };

    private readonly Option<string[]> _vary = new("--vary")
    {
        HelpName = "VARIATION",
        Description =
            "Predict for several values, such as 'link(oslo,rome).delay=10..80ms:5'. Repeatable: each value of one "
            + "with each of the others.",
    };

    private readonly Option<int> _replications = new("--replications")
    {
        HelpName = "N",
        Description = "The most replications of each topology. Default 1000. A decided statement takes fewer.",
        DefaultValueFactory = _ => 1000,
        CustomParser = Values.Integer(2, 10_000_000),
    };

    private readonly Option<TimeSpan?> _duration = new("--for")
    {
        HelpName = "TIME",
        Description = "How long the messages of a replication count. Default: as the file says.",
        CustomParser = result => Values.Duration(result),
    };

    private readonly Option<double> _error = new("--error")
    {
        HelpName = "ERROR",
        Description = "The largest probability of a wrong decision or interval. Default 0.01.",
        DefaultValueFactory = _ => ClusterPredictStage.UsualError,
        CustomParser = Values.Between(0, 0.5),
    };

    private readonly Option<double> _indifference = new("--indifference")
    {
        HelpName = "WIDTH",
        Description = "How far from a compared probability a decision must be right. Default 0.05.",
        DefaultValueFactory = _ => ClusterPredictStage.UsualIndifference,
        CustomParser = Values.Between(0, 1),
    };

    private readonly Option<string?> _assume = ClusterOptions.Assume();

    private readonly Option<bool> _check = new("--check")
    {
        Description =
            "Also judge each replication with the monitors of 'cluster run'. Takes about a tenth longer. Exit "
            + "code 1 if one is violated.",
    };

    private readonly Option<bool> _pairs = new("--pairs")
    {
        Description =
            "Also print delivery times and losses from each site to each other one, or from broker to broker where "
            + "there are no sites. With --format json they are always there.",
    };

    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var predict = new ClusterPredictCommand(screen, interruption, arguments);
        var command = new Command(
            "predict",
            "Predicts properties of a cluster's runs by simulation: repair after a fault, loss, delays, messages on "
                + "links. Exit code 1 if a statement does not hold, 4 if one is not decided."
        )
        {
            predict._files,
            predict._system,
            predict._properties,
            predict._faults,
            predict._vary,
            predict._rules,
            predict._ids,
            predict._duration,
            predict._replications,
            predict._error,
            predict._indifference,
            predict._assume,
            predict._check,
            predict._pairs,
            predict._seed,
        };
        predict._workers.AddTo(command);
        command.Concludes(
            (parse, _) =>
                predict._workers.RunAsync(parse, screen, interruption, runner => predict.RunAsync(parse, runner))
        );
        return command;
    }

    private async Task<Conclusion> RunAsync(ParseResult parse, IShardRunner? runner)
    {
        var table = new TextTable("topology", "property", "answer", "interval", "kind", "runs", "holds");
        var pairs = new ClusterPairTable();
        var violations = new List<(string Label, int Run, ClusterViolation Found)>();
        var variants = ClusterOptions
            .Read(parse, parse.GetValue(_files)!, _system)
            .SelectMany(topology => Variants(parse, topology))
            .ToList();
        // Mistakes in one are said before any is simulated.
        var planned = variants.Select(variant => (variant.Label, Plan(parse, variant.Topology))).ToList();
        var most = parse.GetValue(_replications);
        var made = await ClusterPredictStage.RunAsync(interruption.At(screen), planned, runner, most);
        foreach (var (label, prediction) in made)
        {
            foreach (var test in prediction.Tests)
                table.Add(Row(label, test.Answer));
            pairs.Add(label, prediction.Pairs);
            violations.AddRange(prediction.Violations.Select(found => (label, found.Run, found.Violation)));
        }
        table.Print(screen);
        screen.Line(ClusterPredictStage.Promise(parse.GetValue(_error), made.Select(one => one.Prediction)));
        screen.Lines(ClusterPredictStage.Reasons(made));
        if (parse.GetValue(_check))
            Print(violations);
        screen.Lines(ClusterPredictStage.Undelivered(made));
        screen.Lines(ClusterPredictStage.Remarks(variants));
        pairs.Print(screen);
        screen.Line($"repeat: {Repeat.CommandLine(WorkersOption.Without(arguments), parse.GetValue(_seed))}");
        return interruption.End(screen, ClusterPredictStage.Conclude(made.Select(one => one.Prediction)));
    }

    private void Print(List<(string Label, int Run, ClusterViolation Found)> violations)
    {
        screen.Lines(
            violations
                .Take(MostShown)
                .Select(one =>
                    Invariant($"violated: {one.Found.Invariant}: {one.Label}: replication {one.Run}: {one.Found.What}")
                )
        );
        if (violations.Count > MostShown)
            screen.Line(Invariant($"          and {violations.Count - MostShown} more"));
        if (violations.Count == 0)
            screen.Line("checked: no monitor found a violation");
    }

    private static TableCell[] Row(string label, ClusterAnswer answer) =>
        [
            label,
            $"{answer.Property}",
            TableCell.Of(answer.Estimate, answer.Estimate is { } estimate ? Invariant($"{estimate:0.####}") : "-"),
            TableCell.Of(
                answer.Interval,
                answer.Interval is { } interval ? Invariant($"{interval.Lower:0.####} .. {interval.Upper:0.####}") : "-"
            ),
            ClusterText.Word(answer.Kind),
            answer.Runs,
            answer.Holds switch
            {
                true => "yes",
                false => "no",
                _ => answer.Property.IsDecision ? "not decided" : "",
            },
        ];

    private IEnumerable<(string Label, Topology Topology)> Variants(ParseResult parse, Topology topology)
    {
        topology = ClusterOptions.Variant(parse, topology, _rules, _ids);
        topology = new ScenarioChange("cluster predict")
        {
            Duration = parse.GetValue(_duration),
            Faults = parse.GetValue(_faults) ?? [],
            Properties = parse.GetValue(_properties) ?? [],
        }.Of(topology);
        return ScenarioChange.Variants(topology.Name, topology, parse.GetValue(_vary) ?? [], "--vary");
    }

    private ClusterPrediction Plan(ParseResult parse, Topology topology)
    {
        var isAsked = parse.GetValue(_pairs);
        if (isAsked)
            ClusterPairTable.Check(topology);
        return new(
            topology,
            parse.GetValue(_error),
            parse.GetValue(_indifference),
            parse.GetValue(_seed),
            pairs: isAsked || screen.Json is not null,
            assumesNormal: ClusterOptions.AssumesNormal(parse, _assume),
            isChecked: parse.GetValue(_check)
        );
    }
}
