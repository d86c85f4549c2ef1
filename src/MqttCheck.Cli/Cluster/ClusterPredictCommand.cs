using System.CommandLine;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Clusters.Pipeline.Simulating;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Clusters.Transport;
using MqttCheck.Statistics.Laws;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster;

/// <summary><c>mqttcheck cluster predict</c>: properties of a cluster's runs, by simulation.</summary>
internal sealed class ClusterPredictCommand
{
    private const int Chunk = 16;

    private readonly Screen _screen;
    private readonly Interruption _interruption;
    private readonly IReadOnlyList<string> _arguments;
    private readonly Option<string> _system = ClusterOptions.FamilySystem();
    private readonly Option<string?> _rules = ClusterOptions.Rules();
    private readonly Option<string?> _ids = ClusterOptions.Ids();
    private readonly Option<ulong> _seed = CommonOptions.Seed();

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

    private readonly Option<string?> _vary = new("--vary")
    {
        HelpName = "VARIATION",
        Description = "Predict for several values, such as 'link(oslo,rome).delay=10..80ms:5'.",
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
        DefaultValueFactory = _ => 0.01,
        CustomParser = Values.Between(0, 0.5),
    };

    private readonly Option<double> _indifference = new("--indifference")
    {
        HelpName = "WIDTH",
        Description = "How far from a compared probability a decision must be right. Default 0.05.",
        DefaultValueFactory = _ => 0.05,
        CustomParser = Values.Between(0, 1),
    };

    private ClusterPredictCommand(Screen screen, Interruption interruption, IReadOnlyList<string> arguments) =>
        (_screen, _interruption, _arguments) = (screen, interruption, arguments);

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
            predict._seed,
        };
        command.SetAction((parse, _) => predict.RunAsync(parse));
        return command;
    }

    private async Task<int> RunAsync(ParseResult parse)
    {
        var table = new TextTable("topology", "property", "answer", "interval", "runs", "holds");
        var (refuted, undecided) = (false, false);
        var variants = parse.GetValue(_files)!.SelectMany(file => Variants(parse, file)).ToList();
        // What is wrong with one is said before any is simulated.
        var planned = variants.Select(variant => (variant.Label, Plan: Plan(parse, variant.Topology))).ToList();
        foreach (var (label, plan) in planned)
        {
            var tests = await _screen.ProgressAsync(
                $"predict {label}",
                report => Task.Run(() => Simulate(parse, plan, report))
            );
            foreach (var test in tests)
            {
                var answer = test.Answer;
                refuted |= answer.Holds == false;
                undecided |= test.Property.IsDecision && answer.Holds is null;
                table.Add(
                    label,
                    $"{test.Property}",
                    answer.Estimate is { } estimate ? Invariant($"{estimate:0.####}") : "-",
                    answer.Interval is { } interval
                        ? Invariant($"{interval.Lower:0.####} .. {interval.Upper:0.####}")
                        : "-",
                    Invariant($"{answer.Runs}"),
                    answer.Holds switch
                    {
                        true => "yes",
                        false => "no",
                        _ => test.Property.IsDecision ? "not decided" : "",
                    }
                );
            }
            if (_interruption.Orderly.IsCancellationRequested)
                break;
        }
        table.Print(_screen);
        _screen.Line(
            "Simulated. Times are milliseconds. "
                + Invariant($"Each answer is wrong with a probability of at most {parse.GetValue(_error)}.")
        );
        foreach (var (label, topology) in variants)
            if (topology.Links.All(link => link.DelayMilliseconds is ConstantLaw { Value: 0 }))
                _screen.Line(
                    $"{label}: no link has a delay, so times leave the network out. A file gives links delays."
                );
        _screen.Line($"repeat: {Repeat.CommandLine(_arguments, parse.GetValue(_seed))}");
        return _interruption.End(
            _screen,
            refuted ? ExitCode.Refuted
                : undecided ? ExitCode.Withheld
                : ExitCode.Success
        );
    }

    private IEnumerable<(string Label, Topology Topology)> Variants(ParseResult parse, string file)
    {
        if (!ClusterSystems.TryParse(parse.GetValue(_system)!, out var system))
            throw new InputException($"--system: '{parse.GetValue(_system)}' is no system.");
        var topology = TopologyFile.Read(file, system);
        topology = ClusterOptions.Variant(parse, topology, _rules, _ids);
        var scenario = topology.Scenario;
        if (parse.GetValue(_faults) is { Length: > 0 } faults)
            scenario = scenario with { Faults = [.. faults.Select(text => FaultText.Parse(text, "--fault"))] };
        if (parse.GetValue(_properties) is { Length: > 0 } properties)
            scenario = scenario with { Properties = properties };
        if (parse.GetValue(_duration) is { } duration)
            scenario = scenario with { Duration = duration };
        // A fault that never comes would make every run look like one that was repaired.
        if (scenario != topology.Scenario)
            topology = ScenarioFile.Apply(topology, scenario, "cluster predict");
        return parse.GetValue(_vary) is { } vary
            ? TopologyVariation
                .Of(topology, vary, "--vary")
                .Select(variant => ($"{topology.Name} {variant.Label}", variant.Topology))
            : [(topology.Name, topology)];
    }

    private (IReplications Replications, IReadOnlyList<ClusterPropertyTest> Tests) Plan(
        ParseResult parse,
        Topology topology
    )
    {
        if (topology.Scenario.Properties.Count == 0)
            throw new InputException(
                $"{topology.Name}: the file has no property; name one, such as -p 'Q0.95[ delivery ]'."
            );
        ClusterPropertyTest[] tests =
        [
            .. topology.Scenario.Properties.Select(text => new ClusterPropertyTest(
                ClusterProperty.Parse(text, "property"),
                parse.GetValue(_error),
                parse.GetValue(_indifference)
            )),
        ];
        var probes = tests
            .SelectMany(test => test.Property.Measures)
            .Any(measure => measure.Quantity is ClusterQuantity.Repair or ClusterQuantity.Blackout);
        return (Replications(topology, probes), tests);
    }

    private static IReplications Replications(Topology topology, bool probes) =>
        topology.System switch
        {
            ClusterSystem.Pipeline => new PipelineReplications(topology),
            ClusterSystem.Transport => new TransportReplications(topology),
            _ => new ClusterReplications(topology, probes),
        };

    private IReadOnlyList<ClusterPropertyTest> Simulate(
        ParseResult parse,
        (IReplications Replications, IReadOnlyList<ClusterPropertyTest> Tests) plan,
        Action<double, string> report
    )
    {
        var most = parse.GetValue(_replications);
        var seed = parse.GetValue(_seed);
        for (
            var first = 0;
            first < most && !_interruption.Orderly.IsCancellationRequested && !plan.Tests.All(test => test.IsDecided);
            first += Chunk * Environment.ProcessorCount
        )
        {
            var chunks = Enumerable
                .Range(0, Environment.ProcessorCount)
                .Select(i => (First: first + (i * Chunk), Last: Math.Min(most, first + ((i + 1) * Chunk)) - 1))
                .ToArray();
            var outcomes = chunks
                .AsParallel()
                .AsOrdered()
                .SelectMany(chunk => plan.Replications.Run(seed, chunk.First, chunk.Last, _interruption.AtOnce));
            foreach (var outcome in outcomes)
            foreach (var test in plan.Tests)
                if (!test.IsDecided)
                    test.Add(outcome);
            report(Math.Min(1, (double)first / most), Invariant($"{first} replications"));
        }
        return plan.Tests;
    }
}
