using System.CommandLine;
using MqttCheck.App.Clusters.Predict;
using MqttCheck.App.Clusters.Runs;
using MqttCheck.Cli.Cluster.Configurations;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Terminal;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Recipes;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Cluster;

/// <summary><c>mqttcheck cluster run</c>: live runs of a cluster with faults, and verdicts on properties.</summary>
internal sealed class ClusterRunCommand(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
{
    private readonly Argument<string[]> _given = ClusterOptions.Given();
    private readonly ConfOptions _configurations = new();
    private readonly Option<string> _system = ClusterOptions.FamilySystem();
    private readonly LiveClusterOptions _live = new("the file says", "verdict", "cluster.json and cluster.html");

    private readonly Option<string?> _scenario = new("--scenario")
    {
        HelpName = "NAME|FILE",
        Description =
            "Load, faults and properties in place of those of the topology: a JSON file or one of "
            + $"{string.Join(", ", ScenarioFile.BuiltInNames)}.",
    };

    private readonly Option<string[]> _vary = new("--vary")
    {
        HelpName = "WHAT=VALUE",
        Description =
            "A value in place of that of the topology, as for 'cluster predict', such as 'system=single-overlay' or "
            + "'topics=60'. May be given several times.",
    };

    private readonly Option<string[]> _faults = new("--fault")
    {
        HelpName = "FAULT",
        Description =
            "What goes wrong, in place of the faults of the file, such as 'kill b at 20s for 10s', 'power all at "
            + "9s for 5s', 'fill b at 5s for 5s', 'cut a-b at 5s for 5s', 'partition a|b,c at 5s for 5s', "
            + "'partition clients|b at 5s for 5s', 'mix at 5s for 60s'. May be given several times.",
    };

    private readonly Option<string[]> _properties = new("--property", "-p")
    {
        HelpName = "PROPERTY",
        Description =
            "A property in place of those of the file, such as 'P>=0.9[ lost = 0 ]', 'P[ repair < 5s ]' or "
            + "'Q0.95[ delivery ]'. May be given several times.",
    };

    private readonly Option<int?> _runs = new("--runs")
    {
        HelpName = "N",
        Description = "The most runs. Default: twice as many as a property takes that holds in all, else 5, else 1.",
        CustomParser = result => Values.Integer(1, 10_000)(result),
    };

    private readonly Option<TimeSpan?> _budget = new("--budget")
    {
        HelpName = "TIME",
        Description =
            "How long all runs may take, from the first one on: none begins that would end later. One that cannot "
            + "suffice is refused beforehand, with one that can. Default: as long as the runs take.",
        CustomParser = result => Values.Duration(result),
    };

    private readonly Option<string[]> _running = new("--running")
    {
        HelpName = ConfiguredCluster.RunningForm,
        Description = "A broker that runs, in place of one outside of the files, which is started otherwise.",
    };

    private readonly Option<bool> _allowLoops = new("--allow-loops")
    {
        Description = "Run bridges that loop. The brokers are stopped as soon as messages go round.",
    };

    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var options = new ClusterRunCommand(screen, interruption, arguments);
        var command = new Command(
            "run",
            "Starts a cluster, loads it, makes the faults happen, and decides the properties run by run."
        )
        {
            options._given,
            options._system,
            options._scenario,
            options._vary,
            options._live.For,
            options._faults,
            options._properties,
            options._runs,
            options._budget,
            options._live.Error,
            options._live.Indifference,
            options._live.Assume,
            options._allowLoops,
            options._live.Seed,
            options._live.Output,
        };
        options._configurations.AddTo(command);
        command.Options.Add(options._running);
        options._live.AddAccessTo(command);
        command.Concludes((parse, _) => options.RunAsync(parse));
        return command;
    }

    private async Task<Conclusion> RunAsync(ParseResult parse)
    {
        var (configured, topology) = Read(parse);
        var properties = ClusterProperty.Parse(
            parse.GetValue(_properties) is { Length: > 0 } given
                ? given.Select(text => new ScenarioProperty(text, "--property"))
                : topology.Scenario.Properties
        );
        var tests = ClusterRunRequest.TestsOf(
            topology,
            properties,
            parse.GetValue(_live.Error),
            parse.GetValue(_live.Indifference),
            ClusterOptions.AssumesNormal(parse, _live.Assume)
        );
        var seed = parse.GetValue(_live.Seed);
        var request = new ClusterRunRequest(
            topology,
            tests,
            parse.GetValue(_runs) ?? ClusterRunRequest.UsualRuns(tests),
            seed,
            parse.GetValue(_allowLoops),
            parse.GetValue(_budget) is { } time ? new(time) : null,
            Repeat.CommandLine(arguments, seed)
        )
        {
            Notes = configured?.Notes ?? [],
            Access = _live.AccessTo(parse, topology) with { Configurations = configured?.Configurations ?? [] },
        };
        request.Require();
        var directory = parse.GetValue(_live.Output)!.FullName;
        var (json, page) = (Path.Combine(directory, "cluster.json"), Path.Combine(directory, "cluster.html"));
        OutputPath.RequireOther(json, "--out", parse.GetValue(_given)!);
        OutputPath.RequireWritable(json, "--out");
        var answer = await ClusterRunStage.RunAsync(interruption.At(screen), OwnProgram.Node, request);
        request = request with { Repeat = Repeat.CommandLine(arguments, seed, request.MoreTime(answer.Result)) };
        ClusterRunText.Print(screen, topology, answer.Result);
        ClusterResultFile.Write(json, request, answer);
        ClusterMetrics.Of(request, answer.Result).Publish(path: null);
        ClusterRunPage.Write(page, request, answer.Broker, answer.Result, screen.Time.GetUtcNow());
        screen.Line();
        screen.Line($"result: {json}");
        screen.Line($"page:   {page}");
        screen.Line($"repeat: {request.Repeat}");
        screen.NotePartial(answer.Result.IsInterrupted);
        return answer.Result.Conclusion;
    }

    private (ConfiguredCluster? Configured, Topology Topology) Read(ParseResult parse)
    {
        var given = parse.GetValue(_given)!;
        var single = _configurations.Single(parse, given);
        var configured =
            single is null && _configurations.Read(parse, given) is { } files
                ? ConfiguredCluster.Of(files, parse.GetValue(_running) ?? [])
                : null;
        if (configured is null && parse.GetValue(_running) is { Length: > 0 })
            throw new InputException("--running: given beside a topology; allowed: beside files *.conf.");
        var topology = single is not null
            ? SingleBroker.TopologyOf(single)
            : configured?.Topology ?? ClusterOptions.Read(parse, given, _system)[0];
        foreach (var vary in parse.GetValue(_vary) ?? [])
            topology = TopologyVariation.Of(topology, vary, "--vary") is [var only]
                ? only.Topology
                : throw new InputException(
                    $"--vary: '{vary}' has several values, and a run has one; allowed here: one value, such as "
                        + "topics=60. 'cluster predict' takes several."
                );
        var scenario = parse.GetValue(_scenario) is { } name ? ClusterInput.Scenario(name) : null;
        var change = new ScenarioChange("cluster run")
        {
            Scenario = scenario,
            Duration = parse.GetValue(_live.For),
            TopicPrefix = _live.Access.TopicPrefix(
                parse,
                scenario is { TopicPrefix.Length: > 0 } other ? other.TopicPrefix : topology.Scenario.TopicPrefix
            ),
            Faults = parse.GetValue(_faults) ?? [],
        };
        return (configured, change.Of(topology));
    }
}
