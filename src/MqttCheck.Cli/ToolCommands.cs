using System.CommandLine;
using System.CommandLine.Invocation;
using MqttCheck.App.Runs;
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
using MqttCheck.Cli.Survives;
using MqttCheck.Cli.Taps;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Verify;
using MqttCheck.Cli.WhatIf;
using MqttCheck.Cli.Workers;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli;

/// <summary>The tool as a whole: its commands, and what becomes of their errors.</summary>
internal static class ToolCommands
{
    /// <summary>Runs one command line.</summary>
    public static async Task<int> RunAsync(string[] arguments, Screen screen, Interruption interruption)
    {
        // Asked before anything else of an installed tool, and of every job of a pipeline: no command is made for it.
        if (arguments is ["--version"])
        {
            screen.Line(Tool.FullVersion);
            return ExitCode.Of(Conclusion.Success);
        }
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
        var errors = isCompletion ? [] : CommandLineErrors.Of(parsed);
        if (errors.Count > 0)
        {
            foreach (var error in errors)
                screen.Fail(error);
            screen.Note($"'{CommandLineErrors.Path(parsed)} --help' shows what is allowed.");
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
        catch (Exception exception)
            when (exception is BrokerException or WireException or IOException or UnauthorizedAccessException)
        {
            // The broker; or the environment: a full disk, a directory that cannot be written.
            screen.Fail(exception.Message);
            return ExitCode.BrokerFailed;
        }
        catch (OperationCanceledException) when (interruption.Orderly.IsCancellationRequested)
        {
            screen.Note("interrupted before there was a result");
            screen.Line($"repeat: {Repeat.CommandLine(arguments)}");
            return ExitCode.Interrupted;
        }
    }

    // The result is printed as JSON however the command ends, as long as it ends with a result.
    private static async Task<int> InvokeAsync(ParseResult parsed, Screen screen)
    {
        var name = CommandHelp.Name(parsed.CommandResult.Command);
        ScreenOptions.Apply(parsed, name, screen);
        var code = await TelemetryOption.RunAsync(
            parsed,
            name,
            screen,
            () => screen.WatchAsync(name, () => parsed.InvokeAsync(Invocation(screen)))
        );
        screen.Json?.Print(screen, code);
        return code;
    }

    // Only the named command is made, because making all commands takes longer than many command lines take to run.
    private static RootCommand RootOf(Screen screen, Interruption interruption, string[] arguments)
    {
        var all = Commands(screen, interruption, arguments);
        return arguments switch
        {
            [var name, ..] when Array.FindIndex(all, command => command.Name == name) is >= 0 and var at => Root(
                screen,
                [all[at]]
            ),
            _ => Root(screen, all),
        };
    }

    /// <summary>The tool with some of its commands and their options.</summary>
    internal static RootCommand Root(Screen screen, (string Name, Func<Command> Create)[] commands)
    {
        var root = new RootCommand(
            "Learns how fast an MQTT broker is, predicts whether every message of "
                + "a client arrives in time, and checks the prediction on the broker."
        );
        foreach (var (_, create) in commands)
            root.Add(create());
        ScreenOptions.AddTo(root);
        TelemetryOption.AddTo(root);
        CommandHelp.AddTo(root, screen);
        return root;
    }

    /// <summary>The names of all commands, and how each is made.</summary>
    internal static (string Name, Func<Command> Create)[] Commands(
        Screen screen,
        Interruption interruption,
        string[] arguments
    ) =>
        [
            ("run", () => new RunCommand(screen, interruption, arguments).Create()),
            ("explore", () => new ExploreCommand(screen, interruption).Create()),
            ("tap", () => TapCommand.Create(screen, interruption)),
            ("learn", () => LearnCommand.Create(screen)),
            ("predict", () => new PredictCommand(screen, interruption, arguments).Create()),
            ("diff", () => new DiffCommand(screen).Create()),
            ("serve", () => new WhatIfCommand(screen, interruption).Create()),
            ("verify", () => new VerifyCommand(screen, interruption, arguments).Create()),
            ("estimate", () => new EstimateCommand(screen, interruption).Create()),
            ("largest-fleet", () => new LargestFleetCommand(screen, interruption).Create()),
            ("audit", () => new AuditCommand(screen, interruption).Create()),
            ("calibrate", () => CalibrateCommand.Create(screen, interruption, arguments)),
            ("check", () => CheckCommand.Create(screen, interruption, arguments)),
            ("cluster", () => ClusterCommand.Create(screen, interruption, arguments)),
            ("survives", () => new SurvivesCommand(screen, interruption, arguments).Create()),
            ("bench", () => BenchCommand.Create(screen, interruption, arguments)),
            ("compare", () => CompareCommand.Create(screen, interruption, arguments)),
            ("selfcheck", () => SelfcheckCommand.Create(screen, interruption)),
            ("report", () => new ReportCommand(screen).Create()),
            ("export", () => new ExportCommand(screen, interruption).Create()),
            ("check-model", () => new CheckModelCommand(screen, interruption).Create()),
            ("split", () => new SplitCommand(screen, interruption).Create()),
            ("broker", () => EmbeddedBrokerCommand.Create(screen, interruption)),
            (OwnProgram.MqttNetCommand, () => MqttNetServerCommand.Create(screen, interruption)),
            (OwnProgram.NodeCommand, () => NodeCommand.Create(screen, interruption)),
            ("brokers", () => BrokersCommand.Create(screen)),
            ("worker", () => WorkerCommand.Create(screen, interruption)),
            ("workers", () => WorkersCommand.Create(screen, interruption)),
        ];

    private static InvocationConfiguration Invocation(Screen screen) =>
        new()
        {
            // Signals are handled by Interruption: an orderly end may take longer than a fixed time-out.
            ProcessTerminationTimeout = null,
            EnableDefaultExceptionHandler = false,
            Output = screen.Output.Writer,
            Error = screen.Error.Writer,
        };
}
