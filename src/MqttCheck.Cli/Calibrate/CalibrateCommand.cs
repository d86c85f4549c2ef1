using System.CommandLine;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Learning.Learners;

namespace MqttCheck.Cli.Calibrate;

/// <summary><c>mqttcheck calibrate</c>: how far predictions are from measurements on a broker.</summary>
internal static class CalibrateCommand
{
    /// <summary>The command.</summary>
    /// <param name="arguments">The arguments of the process, to say how to repeat it.</param>
    public static Command Create(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var broker = new TargetBrokerOptions();
        var profiles = CommonOptions.Profiles();
        var clients = CommonOptions.Clients("50,70,90,110,130,150");
        var thresholds = new Option<double[]?>("--threshold", "-t")
        {
            HelpName = "TIME,TIME,...",
            Description =
                "Thresholds such as 20ms,50ms. Default: 26 from 0.5ms to 900ms; those count where the measured probability is between .3 and .99.",
            CustomParser = Values.Durations,
        };
        var time = new Option<TimeSpan>("--train")
        {
            HelpName = "TIME",
            Description = "How long all training cases together run. Default 120s.",
            DefaultValueFactory = _ => TimeSpan.FromSeconds(120),
            CustomParser = Values.Duration,
        };
        var runs = new Option<int>("--runs")
        {
            HelpName = "N",
            Description = "How often each setup is measured; training cases come in between. Default 5.",
            DefaultValueFactory = _ => 5,
            CustomParser = Values.Integer(2, 1000),
        };
        var sequences = new Option<int>("--sequences")
        {
            HelpName = "N",
            Description = "How many sequences of each client count in a run. Default 3.",
            DefaultValueFactory = _ => 3,
            CustomParser = Values.Integer(1, 1000),
        };
        var learners = new Option<string[]>("--learner")
        {
            HelpName = "NAME,NAME,...",
            Description =
                $"Which learners to compare side by side: {string.Join(", ", LearnerCatalogue.Named.Select(learner => learner.Name))}; or all. Default {LearnerCatalogue.Default.Name}.",
            DefaultValueFactory = _ => [LearnerCatalogue.Default.Name],
            AllowMultipleArgumentsPerToken = true,
        };
        var from = new Option<string[]>("--from")
        {
            HelpName = "FILE ...",
            Description =
                "Makes no runs: computes calibrations again from their logs, or takes tables (.json) computed before, and says for each broker whether intervals hold what they say. "
                + "Of the other options --threshold, --learner, --seed and --out apply.",
            AllowMultipleArgumentsPerToken = true,
        };
        var mqtt = CommonOptions.Mqtt();
        var client = ClientOption.Create();
        var seed = CommonOptions.Seed();
        var output = CommonOptions.OutputDirectory();
        var plots = PlotsOption.Create("predicted against measured probabilities, for each learner,");
        var command = new Command(
            "calibrate",
            "Measures how far predictions are from the truth: trains and measures in turns, predicts what was measured, and prints both side by side."
        )
        {
            profiles,
            clients,
            thresholds,
            time,
            runs,
            sequences,
            learners,
            from,
            mqtt,
            client,
            seed,
            output,
            plots,
        };
        broker.AddTo(command);
        command.SetAction(
            async (parse, _) =>
            {
                var userSeed = parse.GetValue(seed);
                var names = parse.GetValue(learners)!.SelectMany(name => name.Split(',')).Distinct().ToArray();
                var chosen = names is ["all"] ? LearnerCatalogue.Named : [.. names.Select(LearnerCatalogue.ByName)];
                var times = parse.GetValue(thresholds) is { Length: > 0 } given
                    ? given
                    : CalibrationTable.DefaultThresholds;
                if (parse.GetValue(from) is { Length: > 0 } sources)
                {
                    return await Task.Run(() =>
                        CalibrateAgainStage.Run(
                            screen,
                            interruption,
                            sources,
                            chosen,
                            times,
                            userSeed,
                            parse.GetValue(output)!.ToString(),
                            Repeat.CommandLine(arguments, userSeed)
                        )
                    );
                }
                var choice = broker.Choose(parse, userSeed) with
                {
                    Client = ClientOption.Choose(parse.GetValue(client)),
                };
                var request = new CalibrateRequest
                {
                    Broker = choice,
                    Populations = CommonOptions.Read(parse.GetValue(profiles)!),
                    Clients = parse.GetValue(clients)!,
                    ThresholdsMilliseconds = times,
                    Training = parse.GetValue(time),
                    Runs = parse.GetValue(runs),
                    SequencesPerClient = parse.GetValue(sequences),
                    Learners = chosen,
                    ProtocolVersion = CommonOptions.Protocol(parse.GetValue(mqtt)),
                    Seed = userSeed,
                    Files = RunFiles.Named(
                        parse.GetValue(output)!.ToString(),
                        choice.Specification.Name + "-calibrate",
                        screen.Time.GetUtcNow()
                    ),
                    Repeat = Repeat.CommandLine(arguments, userSeed),
                    Plots = PlotsOption.Of(parse, plots),
                };
                return await CalibrateStage.RunAsync(screen, interruption, request);
            }
        );
        return command;
    }
}
