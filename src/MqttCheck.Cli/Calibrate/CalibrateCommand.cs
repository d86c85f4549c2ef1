using System.CommandLine;
using MqttCheck.App.Calibrate;
using MqttCheck.App.Predict;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Learning.Learners;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Calibrate;

/// <summary><c>mqttcheck calibrate</c>: how far predictions are from measurements on a broker.</summary>
internal sealed class CalibrateCommand(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
{
    private readonly TargetBrokerOptions _broker = new();
    private readonly Option<string[]> _profiles = CommonOptions.Profiles();
    private readonly Option<int[]> _clients = CommonOptions.Clients("50,70,90,110,130,150");

    private readonly Option<double[]?> _thresholds = new("--threshold", "-t")
    {
        HelpName = "TIME,TIME,...",
        Description =
            "Thresholds such as 20ms,50ms. Default: 26 from 0.5ms to 900ms; "
            + "those count where the measured probability is between .3 and .99.",
        CustomParser = Values.Durations,
    };

    private readonly Option<TimeSpan> _time = new("--train")
    {
        HelpName = "TIME",
        Description = "How long all training cases together run. Default 120s.",
        DefaultValueFactory = _ => TimeSpan.FromSeconds(120),
        CustomParser = Values.Duration,
    };

    private readonly Option<int> _runs = new("--runs")
    {
        HelpName = "N",
        Description = "How often each setup is measured; training cases come in between. Default 5.",
        DefaultValueFactory = _ => 5,
        CustomParser = Values.Integer(2, 1000),
    };

    private readonly Option<int> _sequences = new("--sequences")
    {
        HelpName = "N",
        Description = "How many sequences of each client count in a run. Default 3.",
        DefaultValueFactory = _ => 3,
        CustomParser = Values.Integer(1, 1000),
    };

    private readonly Option<string[]> _learners = new("--learner")
    {
        HelpName = "NAME,NAME,...",
        Description =
            "Which learners to compare side by side: "
            + $"{string.Join(", ", LearnerCatalogue.Named.Select(learner => learner.Name))}; "
            + $"or all. Default {LearnerCatalogue.Default.Name}.",
        DefaultValueFactory = _ => [LearnerCatalogue.Default.Name],
        AllowMultipleArgumentsPerToken = true,
    };

    private readonly Option<string[]> _from = new("--from")
    {
        HelpName = "FILE ...",
        Description =
            "Makes no runs: computes calibrations again from their logs, or takes tables (.json) "
            + "computed before, and says for each broker whether intervals hold what they say. "
            + "Of the other options --threshold, --learner, --seed and --out apply.",
        AllowMultipleArgumentsPerToken = true,
    };

    private readonly Option<string> _mqtt = CommonOptions.Mqtt();
    private readonly Option<string> _client = ClientOption.Create();
    private readonly Option<ulong> _seed = CommonOptions.Seed();
    private readonly Option<DirectoryInfo> _output = CommonOptions.OutputDirectory();
    private readonly Option<DirectoryInfo?> _plots = PlotsOption.Create(
        "predicted against measured probabilities, for each learner,"
    );

    /// <summary>The command.</summary>
    /// <param name="arguments">The arguments of the process, to say how to repeat it.</param>
    public static Command Create(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var calibrate = new CalibrateCommand(screen, interruption, arguments);
        var command = new Command(
            "calibrate",
            "Measures how far predictions are from the truth: trains and measures "
                + "in turns, predicts what was measured, and prints both side by side."
        )
        {
            calibrate._profiles,
            calibrate._clients,
            calibrate._thresholds,
            calibrate._time,
            calibrate._runs,
            calibrate._sequences,
            calibrate._learners,
            calibrate._from,
            calibrate._mqtt,
            calibrate._client,
            calibrate._seed,
            calibrate._output,
            calibrate._plots,
        };
        calibrate._broker.AddTo(command);
        command.Concludes((parse, _) => calibrate.RunAsync(parse));
        return command;
    }

    private async Task<Conclusion> RunAsync(ParseResult parse)
    {
        var userSeed = parse.GetValue(_seed);
        OutputPath.RequireWritableDirectory(parse.GetValue(_output)!.ToString(), _output.Name);
        var names = parse.GetValue(_learners)!.SelectMany(name => name.Split(',')).Distinct().ToArray();
        var chosen = names is ["all"]
            ? LearnerCatalogue.Named
            : [.. names.Select(name => CommonOptions.Learner(name, LearnerCatalogue.Default))];
        var times = parse.GetValue(_thresholds) is { Length: > 0 } given ? given : CalibrationTable.DefaultThresholds;
        if (parse.GetValue(_from) is { Length: > 0 } sources)
            return await Task.Run(() =>
                Again(
                    CalibrateAgainStage.Run(
                        interruption.At(screen),
                        sources,
                        chosen,
                        times,
                        userSeed,
                        parse.GetValue(_output)!.ToString(),
                        Repeat.CommandLine(arguments, userSeed)
                    ),
                    isOnly: sources.Length == 1,
                    Repeat.CommandLine(arguments, userSeed)
                )
            );
        var choice = _broker.Choose(parse, userSeed) with { Client = ClientOption.Choose(parse.GetValue(_client)) };
        var request = new CalibrateRequest(
            Broker: choice,
            Populations: CommonOptions.Read(parse.GetValue(_profiles)!),
            Clients: parse.GetValue(_clients)!,
            ThresholdsMilliseconds: times,
            Training: parse.GetValue(_time),
            Runs: parse.GetValue(_runs),
            SequencesPerClient: parse.GetValue(_sequences),
            Learners: chosen,
            ProtocolVersion: CommonOptions.Protocol(parse.GetValue(_mqtt)),
            Seed: userSeed,
            Files: RunFiles.Named(
                parse.GetValue(_output)!.ToString(),
                choice.Specification.Name + "-calibrate",
                screen.Time.GetUtcNow()
            ),
            Repeat: Repeat.CommandLine(arguments, userSeed)
        );
        var plots = PlotsOption.Of(parse, _plots);
        var answer = await CalibrateStage.RunAsync(interruption.At(screen), request);
        Print(request, answer, plots);
        // Neither a model nor a measurement of invalid runs says anything of the broker.
        return answer.Learned is null
            ? Conclusions.Of(isMet: null, answer.Runs.Interrupted)
            : Conclusions.Of(answer.Runs.Runs, answer.Runs.Interrupted);
    }

    private void Print(CalibrateRequest request, CalibrateAnswer answer, string? plots)
    {
        var idle = answer.Runs.Idle.Select(one => Invariant($"{one.MedianMilliseconds:0.###}"));
        screen.Line(
            $"broker: {PredictStage.Describe(answer.Broker)}; "
                + $"idle latency {string.Join(", ", idle)} ms before the turns"
        );
        if (answer.Runs.IdleDrift > IdleDrift.Largest)
            screen.Line(
                Invariant($"Note: the idle latency moved by {answer.Runs.IdleDrift:P0}: ")
                    + "other work disturbed the machine, or it changed."
            );
        screen.Line($"log: {request.Files.Log}");
        if (answer.Learned is not { } learned)
        {
            screen.Line("Too few runs to compare anything.");
            return;
        }
        if (plots is not null)
            PlotFiles.Print(screen, CalibrationPlots.Draw(learned.Tables, plots), plots);
        CalibrationText.Print(screen, learned.Tables, learned.Models);
        screen.Line();
        screen.Line($"model:  {request.Files.Model}");
        screen.Line($"table:  {request.Files.Calibration}");
        screen.Line($"repeat: {request.Repeat}");
    }

    private Conclusion Again(IEnumerable<StoredCalibration> calibrations, bool isOnly, string repeat)
    {
        var trainings = new List<StoredCalibration>();
        foreach (var calibration in calibrations)
        {
            trainings.Add(calibration);
            if (calibration.Learned is { } learned && isOnly)
                CalibrationText.Print(screen, learned.Tables, learned.Models);
            if (calibration.Written is { } file)
                screen.Line($"table: {file}");
        }
        if (trainings.Count > 0)
            CalibrationText.Print(screen, StoredCalibration.Summaries(trainings));
        screen.Line();
        screen.Line($"repeat: {repeat}");
        return Conclusions.Of(isMet: true, interruption.Orderly.IsCancellationRequested);
    }
}
