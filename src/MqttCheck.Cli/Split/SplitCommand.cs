using System.CommandLine;
using System.Globalization;
using MqttCheck.App.Clusters.Split;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Splitting;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Workers;
using MqttCheck.Profiles;
using MqttCheck.Shards;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Split;

/// <summary><c>mqttcheck split</c>: estimates a rare event by importance splitting.</summary>
internal sealed class SplitCommand(Screen screen, Interruption interruption)
{
    private readonly Argument<string?> _file = new("FILE")
    {
        Description =
            "A JANI model of the type sta. Without one, --threshold asks how likely a client's message takes so long.",
        Arity = ArgumentArity.ZeroOrOne,
    };

    private readonly Option<string?> _property = new("--property")
    {
        HelpName = "NAME",
        Description = "Which property of the model: a probability of F or U.",
    };

    private readonly Option<string[]> _constants = ModelOptions.Constants();

    private readonly Option<string?> _level = new("--level")
    {
        HelpName = "VARIABLE",
        Description = "A shared variable that grows towards the event. Default: derived from the event's thresholds.",
    };

    private readonly Option<string?> _levels = new("--levels")
    {
        HelpName = "N,N,...",
        Description = "The values of the level at which runs are split. Default: chosen by pilot runs.",
    };

    private readonly Option<FileInfo?> _model = ModelOptions.Model();
    private readonly Option<string?> _law = ModelOptions.Law();
    private readonly Option<string> _profile = ModelOptions.Profile();
    private readonly Option<int> _clients = ModelOptions.Clients();

    private readonly Option<double[]?> _threshold = new("--threshold", "-t")
    {
        HelpName = "TIME",
        Description =
            "The event is that a message of the first client's sequence takes at least so long, such as 500ms.",
        CustomParser = Values.Durations,
    };

    private readonly Option<string> _method = new Option<string>("--method")
    {
        HelpName = "NAME",
        Description = "fixed-effort or restart. Default fixed-effort.",
        DefaultValueFactory = _ => "fixed-effort",
    }.Accepting("fixed-effort", "restart");

    private readonly Option<int> _effort = new("--effort")
    {
        HelpName = "N",
        Description = "How many runs begin at each level, or with restart at the start. Default 2000.",
        DefaultValueFactory = _ => 2000,
        CustomParser = Values.Integer(10, 100_000_000),
    };

    private readonly Option<int> _repetitions = new("--repetitions")
    {
        HelpName = "N",
        Description = "How many independent estimates; their spread gives the interval. Default 20.",
        DefaultValueFactory = _ => 20,
        CustomParser = Values.Integer(2, 1_000_000),
    };

    private readonly Option<double> _confidence = ModelOptions.Confidence();
    private readonly Option<SimultaneousSteps> _simultaneous = ModelOptions.Simultaneous();
    private readonly Option<bool> _soon = ModelOptions.AsSoonAsPossible();
    private readonly Option<int> _steps = ModelOptions.MaximumSteps();
    private readonly Option<ulong> _seed = CommonOptions.Seed();
    private readonly WorkersOption _workers = new();

    /// <summary>The command.</summary>
    public Command Create()
    {
        var command = new Command(
            "split",
            "Estimates the probability of a rare event of a JANI model, or of a slow message, by importance splitting."
        )
        {
            _file,
            _property,
            _constants,
            _level,
            _levels,
            _model,
            _law,
            _profile,
            _clients,
            _threshold,
            _method,
            _effort,
            _repetitions,
            _confidence,
            _simultaneous,
            _soon,
            _steps,
            _seed,
        };
        _workers.AddTo(command);
        command.Concludes((parse, _) => _workers.RunAsync(parse, screen, interruption, runner => Run(parse, runner)));
        return command;
    }

    private Conclusion Run(ParseResult parse, IShardRunner? runner)
    {
        var stage = new SplitStage(
            interruption.At(screen),
            parse.GetValue(_level),
            new()
            {
                SimultaneousSteps = parse.GetValue(_simultaneous),
                AsSoonAsPossible = parse.GetValue(_soon),
                MaximumSteps = parse.GetValue(_steps),
            },
            new()
            {
                Method = parse.GetValue(_method) == "restart" ? SplittingMethod.Restart : SplittingMethod.FixedEffort,
                Thresholds = [.. Levels(parse.GetValue(_levels))],
                Effort = parse.GetValue(_effort),
                Repetitions = parse.GetValue(_repetitions),
                Seed = parse.GetValue(_seed),
            },
            runner
        );
        var (asked, estimate) = parse.GetValue(_file) is { } path
            ? stage.OfModel(path, ModelOptions.Constants(parse.GetValue(_constants)!), parse.GetValue(_property))
            : OfMessage(parse, stage);
        var interval = estimate.ApproximateInterval(parse.GetValue(_confidence));
        var table = new TextTable("property", "probability", "interval", "repetitions", "levels", "steps");
        table.Add(
            $"{asked.Name}: {asked}",
            TableCell.Of(estimate.Probability),
            TableCell.Of(interval),
            estimate.Repetitions.Count,
            estimate.Thresholds.Count,
            estimate.Steps
        );
        table.Record(screen);
        screen.Line(
            Invariant(
                $"{asked.Name}: {asked} = {estimate.Probability:G4} in [{interval.Lower:G4}, {interval.Upper:G4}] "
            )
                + Invariant($"({parse.GetValue(_confidence):0.####%}, Student over ")
                + Invariant($"{estimate.Repetitions.Count} repetitions, approximate)")
        );
        var levels = estimate.Thresholds.Select(value => Invariant($"{value:G4}"));
        screen.Line(
            Invariant($"{estimate.Thresholds.Count} levels: {string.Join(", ", levels)}; {estimate.Steps} steps")
        );
        return interruption.End(screen, Conclusion.Success);
    }

    private SplitAnswer OfMessage(ParseResult parse, SplitStage stage)
    {
        var times = parse.GetValue(_threshold);
        if (times is not { Length: 1 })
            throw new InputException(
                "--threshold: one time is needed where no model is given; allowed: one time, such as 500ms"
            );
        var population = ProfileFile.Read(parse.GetValue(_profile)!);
        var law = parse.GetValue(_law);
        var latencies = ModelOptions.Latencies(parse.GetValue(_model), law);
        return stage.OfMessage(
            new() { Population = population, Clients = parse.GetValue(_clients) },
            law is null ? latencies : null,
            law,
            times[0]
        );
    }

    private static List<double> Levels(string? text)
    {
        var values = new List<double>();
        foreach (var part in text?.Split(',') ?? [])
        {
            if (
                !double.TryParse(part, NumberStyles.Float, CultureInfo.InvariantCulture, out var value)
                || !double.IsFinite(value)
            )
                throw new InputException(
                    $"--levels: '{text}' is not allowed; allowed are numbers separated by commas."
                );
            values.Add(value);
        }
        return values;
    }
}
