using System.CommandLine;
using MqttCheck.App.Clusters.Check;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.ClusterProtocols.Generation;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.Systems;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster;

/// <summary><c>mqttcheck cluster check</c>: random operations and faults on a simulated cluster.</summary>
internal sealed class ClusterCheckCommand(Screen screen, Interruption interruption)
{
    private const string Frames = "frames";
    private const string Bytes = "bytes";

    private readonly Argument<string> _file = ClusterOptions.Topology();
    private readonly Option<string> _system = ClusterOptions.FamilySystem();
    private readonly Option<string?> _rules = ClusterOptions.Rules();
    private readonly Option<string?> _ids = ClusterOptions.Ids();
    private readonly Option<ulong> _seed = CommonOptions.Seed();

    private readonly Option<TimeSpan> _time = new("--for")
    {
        HelpName = "TIME",
        Description = "How long to check, shrinking included. Default 30s.",
        DefaultValueFactory = _ => TimeSpan.FromSeconds(30),
        CustomParser = Values.Duration,
    };

    private readonly Option<string> _level = new Option<string>("--level")
    {
        HelpName = "LEVEL",
        Description =
            "frames: nodes exchange packets without bytes, fastest. bytes: each node has its broker and real "
            + "clients, over the same links. Both run in virtual time. Default frames.",
        DefaultValueFactory = _ => Frames,
    }.Accepting(Frames, Bytes);

    private readonly Option<string?> _steps = new("--steps")
    {
        HelpName = "STEPS",
        Description =
            "Run one case instead: steps such as 'n1 publish t/1 qos=2 at 3s' and 'kill n1 at 20s for 10s', "
            + "separated by semicolons.",
    };

    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var check = new ClusterCheckCommand(screen, interruption);
        var command = new Command(
            "check",
            "Checks the protocol of a cluster's nodes: simulates random clients and faults, and shrinks each "
                + "violation to a short case. No process is started. Exit code 1 if something does not hold."
        )
        {
            check._file,
            check._system,
            check._rules,
            check._ids,
            check._level,
            check._time,
            check._steps,
            check._seed,
        };
        command.Concludes((parse, _) => check.RunAsync(parse));
        return command;
    }

    private async Task<Conclusion> RunAsync(ParseResult parse)
    {
        var topology = ClusterOptions.Variant(parse, ClusterOptions.Read(parse, _file, _system), _rules, _ids);
        var seed = parse.GetValue(_seed);
        var stage = new ClusterCheckStage(topology, parse.GetValue(_level) == Bytes, seed);
        if (parse.GetValue(_steps) is { } steps)
            return PrintCase(stage.Judge(steps));
        var (findings, cases, operations, simulated, kinds) = await stage.ExploreAsync(
            interruption.At(screen),
            parse.GetValue(_time)
        );
        foreach (var finding in findings)
            Print(finding, Command(parse));
        screen.Line(
            Invariant(
                $"{cases} cases with {operations} operations and faults in {simulated.TotalHours:0.0} virtual hours: "
            ) + (findings.Count == 0 ? "everything held." : Invariant($"{findings.Count} invariants violated."))
        );
        screen.Line("cases with: " + string.Join(", ", kinds.Select(kind => Invariant($"{kind.Kind} {kind.Cases}"))));
        screen.Line($"repeat: {Command(parse)} --seed {Invariant($"{seed}")}");
        return interruption.End(screen, Conclusions.Of(findings.Count == 0));
    }

    private Conclusion PrintCase(IReadOnlyList<ClusterViolation> violations)
    {
        screen.Lines(
            violations.Select(violation =>
                Invariant($"{violation.Nanoseconds / 1e9:0.###} s  {violation.Invariant}: {violation.What}")
            )
        );
        if (violations.Count == 0)
            screen.Line("Everything held.");
        return Conclusions.Of(violations.Count == 0);
    }

    private void Print(ClusterFinding finding, string command)
    {
        screen.Line($"{finding.Violation.Invariant}: {finding.Violation.What}");
        screen.Line(
            Invariant($"    case {finding.Number}, shrunk from {finding.Found.OperationCount} to ")
                + Invariant($"{finding.Shrunk.OperationCount} operations and faults, ")
                + Invariant($"seen at {finding.Violation.Nanoseconds / 1e9:0.###} s")
        );
        screen.Line(
            $"    {command} --seed {Invariant($"{finding.Seed}")} --steps {Repeat.Quoted($"{finding.Shrunk}")}"
        );
        screen.Line();
    }

    // The options that say which cluster; the others are the finding's own.
    private string Command(ParseResult parse)
    {
        var words = new List<string> { "mqttcheck cluster check", Repeat.Quoted(parse.GetValue(_file)!) };
        foreach (var option in new Option[] { _system, _rules, _ids, _level })
            if (parse.GetResult(option) is { Implicit: false, Tokens: [var token, ..] })
                words.Add($"{option.Name} {Repeat.Quoted(token.Value)}");
        return string.Join(' ', words);
    }
}
