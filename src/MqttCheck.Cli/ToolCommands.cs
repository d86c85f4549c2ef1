using System.CommandLine;
using System.CommandLine.Invocation;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Cli.Audit;
using MqttCheck.Cli.Bench;
using MqttCheck.Cli.Calibrate;
using MqttCheck.Cli.Check;
using MqttCheck.Cli.CheckModel;
using MqttCheck.Cli.Cluster;
using MqttCheck.Cli.Compare;
using MqttCheck.Cli.Diff;
using MqttCheck.Cli.Estimate;
using MqttCheck.Cli.Explore;
using MqttCheck.Cli.Export;
using MqttCheck.Cli.LargestFleet;
using MqttCheck.Cli.Learn;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Node;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Predict;
using MqttCheck.Cli.Report;
using MqttCheck.Cli.Run;
using MqttCheck.Cli.Selfcheck;
using MqttCheck.Cli.Serve;
using MqttCheck.Cli.Split;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Verify;
using MqttCheck.Cli.WhatIf;
using MqttCheck.Cli.Workers;

namespace MqttCheck.Cli;

/// <summary>The tool as a whole: its commands, and what becomes of their errors.</summary>
internal static class ToolCommands
{
    /// <summary>Runs one command line.</summary>
    public static async Task<int> RunAsync(string[] arguments, Screen screen, Interruption interruption)
    {
        var root = RootOf(screen, interruption, arguments);
        if (arguments.Length == 0)
        {
            await root.Parse("--help").InvokeAsync(Invocation(screen));
            return ExitCode.WrongInput;
        }
        // Values may begin with @ (a topic, a password): no response files.
        var parsed = root.Parse(arguments, new ParserConfiguration { ResponseFileTokenReplacer = null });
        // A shell that asks how a line may go on has a line that is not whole.
        var isCompletion = arguments[0].StartsWith("[suggest", StringComparison.Ordinal);
        if (!isCompletion && CommandLineErrors.Of(parsed).Count > 0)
        {
            foreach (var error in CommandLineErrors.Of(parsed))
                screen.Fail(error);
            screen.Note(
                $"'{string.Join(' ', ((string[])["mqttcheck", .. Names(parsed), "--help"]))}' shows what is allowed."
            );
            return ExitCode.WrongInput;
        }
        try
        {
            return isCompletion ? await parsed.InvokeAsync(Invocation(screen)) : await InvokeAsync(parsed, screen);
        }
        catch (InputException exception)
        {
            screen.Fail(exception.Message);
            return ExitCode.WrongInput;
        }
        catch (Exception exception) when (exception is BrokerException or WireException)
        {
            screen.Fail(exception.Message);
            return ExitCode.BrokerFailed;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The environment: a full disk, a directory that cannot be written.
            screen.Fail(exception.Message);
            return ExitCode.BrokerFailed;
        }
        catch (OperationCanceledException) when (interruption.Orderly.IsCancellationRequested)
        {
            screen.Note("interrupted");
            return ExitCode.Interrupted;
        }
    }

    // The result is printed as JSON however the command ends, as long as it ends with a result.
    private static async Task<int> InvokeAsync(ParseResult parsed, Screen screen)
    {
        var name = string.Join(' ', Names(parsed));
        ScreenOptions.Apply(parsed, name, screen);
        var code = await screen.WatchAsync(name, () => parsed.InvokeAsync(Invocation(screen)));
        screen.Json?.Print(screen, code);
        return code;
    }

    /// <summary>All commands with their options.</summary>
    internal static RootCommand Root(Screen screen, Interruption interruption, string[] arguments) =>
        Root(screen, Commands(screen, interruption, arguments));

    // What a line does not name takes longer to make than many a line takes to run.
    private static RootCommand RootOf(Screen screen, Interruption interruption, string[] arguments)
    {
        var all = Commands(screen, interruption, arguments);
        return arguments switch
        {
            ["--version"] => Root(screen, []),
            [var name, ..] when all.Where(command => command.Name == name).ToList() is [var one] => Root(screen, [one]),
            _ => Root(screen, all),
        };
    }

    private static RootCommand Root(Screen screen, IEnumerable<(string Name, Func<Command> Create)> commands)
    {
        var root = new RootCommand(
            "Learns how fast an MQTT broker is, predicts whether every message of "
                + "a client arrives in time, and checks the prediction on the broker."
        );
        foreach (var (_, create) in commands)
            root.Add(create());
        ScreenOptions.AddTo(root);
        CommandHelp.AddTo(root, screen);
        return root;
    }

    /// <summary>The names of all commands, and how each is made.</summary>
    internal static IReadOnlyList<(string Name, Func<Command> Create)> Commands(
        Screen screen,
        Interruption interruption,
        string[] arguments
    ) =>
        [
            ("run", () => RunCommand.Create(screen, interruption, arguments)),
            ("explore", () => ExploreCommand.Create(screen, interruption)),
            ("learn", () => LearnCommand.Create(screen)),
            ("predict", () => PredictCommand.Create(screen, interruption)),
            ("diff", () => DiffCommand.Create(screen)),
            ("serve", () => WhatIfCommand.Create(screen, interruption)),
            ("verify", () => VerifyCommand.Create(screen, interruption, arguments)),
            ("estimate", () => EstimateCommand.Create(screen, interruption)),
            ("largest-fleet", () => LargestFleetCommand.Create(screen, interruption)),
            ("audit", () => AuditCommand.Create(screen, interruption)),
            ("calibrate", () => CalibrateCommand.Create(screen, interruption, arguments)),
            ("check", () => CheckCommand.Create(screen, interruption, arguments)),
            ("cluster", () => ClusterCommand.Create(screen, interruption, arguments)),
            ("bench", () => BenchCommand.Create(screen, interruption, arguments)),
            ("compare", () => CompareCommand.Create(screen, interruption, arguments)),
            ("selfcheck", () => SelfcheckCommand.Create(screen, interruption)),
            ("report", () => ReportCommand.Create(screen)),
            ("export", () => ExportCommand.Create(screen, interruption)),
            ("check-model", () => CheckModelCommand.Create(screen, interruption)),
            ("split", () => SplitCommand.Create(screen, interruption)),
            ("broker", () => EmbeddedBrokerCommand.Create(screen, interruption)),
            (OwnProgram.MqttNetCommand, () => MqttNetServerCommand.Create(screen, interruption)),
            (OwnProgram.NodeCommand, () => NodeCommand.Create(screen, interruption)),
            ("brokers", () => BrokersCommand.Create(screen)),
            ("worker", () => WorkerCommand.Create(screen, interruption)),
            ("workers", () => WorkersCommand.Create(screen, interruption)),
        ];

    private static List<string> Names(ParseResult parsed)
    {
        var names = new List<string>();
        for (
            var command = parsed.CommandResult;
            command?.Parent is not null;
            command = command.Parent as System.CommandLine.Parsing.CommandResult
        )
            names.Insert(0, command.Command.Name);
        return names;
    }

    private static InvocationConfiguration Invocation(Screen screen) =>
        new()
        {
            // Signals are handled by Interruption: an orderly end may take longer than a fixed time-out.
            ProcessTerminationTimeout = null,
            EnableDefaultExceptionHandler = false,
            Output = screen.Output.Profile.Out.Writer,
            Error = screen.Error.Profile.Out.Writer,
        };
}
