using System.CommandLine;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.VerifyProperty;
using MqttCheck.Predictions;

namespace MqttCheck.Cli.Verify;

/// <summary><c>mqttcheck verify</c>: prediction and broker to verdicts.</summary>
internal static class VerifyCommand
{
    /// <summary>The command.</summary>
    /// <param name="arguments">The arguments of the process, to say how to repeat it.</param>
    public static Command Create(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var prediction = new Argument<FileInfo?>("PREDICTION")
        {
            Description = "The prediction file that 'predict' wrote; or --property.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var broker = new TargetBrokerOptions();
        var test = new VerifyOptions();
        var property = new PropertyVerifyOptions();
        var refresh = new Option<TimeSpan?>("--refresh")
        {
            HelpName = "TIME",
            Description =
                "If the idle broker has become slower or faster by more than 10 % since training, explore for this long, learn, and predict the same again before verifying. 60s gives a sound model.",
            CustomParser = result => Values.Duration(result),
        };
        var mqtt = CommonOptions.Mqtt();
        var client = ClientOption.Create();
        var seed = CommonOptions.Seed();
        var output = CommonOptions.OutputFile("The verdict file to write (JSON). Default: verdicts/BROKER-TIME.json.");
        var format = FormatOption.Printed();
        var command = new Command(
            "verify",
            "Tests predictions, or a property, on the live broker: confirmed, not worse (where only one side could be tested), worse, better (a property: holds, violated), or no verdict and why."
        )
        {
            prediction,
            refresh,
            mqtt,
            client,
            seed,
            output,
            format,
        };
        broker.AddTo(command);
        test.AddTo(command);
        property.AddTo(command, prediction);
        command.SetAction(
            async (parse, _) =>
            {
                var userSeed = parse.GetValue(seed);
                if (property.IsGiven(parse))
                    return await property.RunAsync(
                        screen,
                        interruption,
                        parse,
                        broker,
                        userSeed,
                        parse.GetValue(output)?.ToString(),
                        FormatOption.Of(parse, format),
                        arguments
                    );
                var file = parse.GetValue(prediction)!.ToString();
                var predicted = PredictionFile.Read(file);
                var chosen = VerifyOptions.Choose(predicted, test.Clients(parse), test.AllThresholds(parse));
                var choice = broker.Choose(parse, userSeed) with
                {
                    Client = ClientOption.Choose(parse.GetValue(client)),
                };
                var files = RunFiles.Named(".", choice.Specification.Name, screen.Time.GetUtcNow());
                var path = parse.GetValue(output)?.ToString() ?? files.Verdicts;
                SystemLimits.Require(chosen.Points.Max(point => point.Clients));
                OutputPath.RequireWritable(path, output.Name);
                await using var running = await choice.StartAsync(interruption.Orderly);
                var protocol = CommonOptions.Protocol(parse.GetValue(mqtt));
                if (parse.GetValue(refresh) is { } exploration)
                {
                    var refreshed = await RefreshStage.RunAsync(
                        screen,
                        interruption,
                        running,
                        new()
                        {
                            Prediction = predicted,
                            Exploration = exploration,
                            Seed = userSeed,
                            ProtocolVersion = protocol,
                            Client = choice.Client,
                            RateCap = choice.RateCap,
                            Files = files,
                        }
                    );
                    if (refreshed is not null)
                        (predicted, file, chosen) = (
                            refreshed,
                            files.Prediction,
                            VerifyOptions.Choose(refreshed, test.Clients(parse), test.AllThresholds(parse))
                        );
                }
                var verdicts = await VerifyStage.RunAsync(
                    screen,
                    interruption,
                    running,
                    new()
                    {
                        Prediction = predicted,
                        PredictionFile = file,
                        Chosen = chosen,
                        Test = test.Test(parse, RunPlan.Full, chosen.Points.Count),
                        IsNumberOfRunsFixed = test.IsNumberOfRunsFixed(parse),
                        Budget = test.Budget(parse, RunPlan.Full),
                        Seed = userSeed,
                        RateCap = choice.RateCap,
                        ProtocolVersion = protocol,
                        Client = choice.Client,
                        MonteCarloSequences = test.MonteCarloSequences(parse),
                        MonteCarloLog = files.MonteCarloLog,
                        Log = files.VerificationLog,
                        Output = path,
                        Repeat = Repeat.CommandLine(arguments, userSeed),
                    }
                );
                foreach (var warning in verdicts.Warnings)
                    screen.Warn(warning);
                if (FormatOption.Of(parse, format) is { } printed)
                {
                    ReportStage
                        .Output(new() { Prediction = predicted, Verdicts = verdicts }, screen.Time.GetUtcNow())
                        .Print(screen, printed);
                    return ExitCode.Of(VerdictTable.Conclude(verdicts.Verdicts, verdicts.Interrupted));
                }
                VerdictTable.Print(screen, predicted, verdicts.Verdicts);
                screen.Line();
                screen.Line($"verdicts: {path}");
                screen.Line($"repeat:   {verdicts.Repeat}");
                if (verdicts.Interrupted)
                    screen.Note("interrupted: the result is partial");
                return ExitCode.Of(VerdictTable.Conclude(verdicts.Verdicts, verdicts.Interrupted));
            }
        );
        return command;
    }
}
