using System.CommandLine;
using System.Globalization;
using MqttCheck.App.Estimate;
using MqttCheck.App.Progress;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Workers;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Profiles;
using MqttCheck.Properties;
using MqttCheck.Properties.Traces;
using MqttCheck.Sequential;
using MqttCheck.Shards;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Estimate;

/// <summary>
/// <c>mqttcheck estimate</c>: the answer to a property, from simulated traces or from those of a log.
/// </summary>
internal sealed class EstimateCommand(Screen screen, Interruption interruption)
{
    private readonly AnswerTable _answers = new(screen);

    private readonly Argument<string> _property = Property();

    private readonly Option<FileInfo?> _model = new("--model", "-m")
    {
        HelpName = "FILE",
        Description = "The model file that 'learn' wrote, to simulate with.",
    };

    private readonly Option<FileInfo?> _log = new("--log")
    {
        HelpName = "FILE",
        Description = "Or the log of live runs with counted sequences, such as that of 'verify'.",
    };

    private readonly Option<FileInfo?> _against = new("--against")
    {
        HelpName = "FILE",
        Description =
            "With --model: a second model. The difference of the two answers "
            + "is printed, from simulations with common random numbers.",
    };

    private readonly Option<string[]> _profiles = CommonOptions.Profiles();
    private readonly Option<FleetSizes> _clients = CommonOptions.Sizes("50");

    private readonly Option<double> _epsilon = new("--epsilon")
    {
        HelpName = "E",
        Description = "Half the width of a probability's interval. Default 0.05.",
        DefaultValueFactory = _ => .05,
        CustomParser = Values.Between(0, .5),
    };

    private readonly Option<double> _error = Error("Probability that an answer is wrong. Default 0.01.");

    private readonly Option<string> _rule = EstimationRuleOption.Create();

    private readonly Option<int?> _replications = new("--replications")
    {
        HelpName = "N",
        Description = "A fixed number of simulated setups, all clients of which count, instead of --rule.",
        CustomParser = result => Values.Integer(1, 10_000_000)(result),
    };

    private readonly Option<double?> _indifference = new("--indifference")
    {
        HelpName = "D",
        Description =
            "For P>=p: decide by Wald's test of p against p - D. Default: "
            + "a test without indifference, which may stay undecided near p.",
        CustomParser = result => Values.Between(0, .5)(result),
    };

    private readonly Option<bool> _beyond = CommonOptions.Beyond();
    private readonly Option<ulong> _seed = CommonOptions.Seed();
    private readonly WorkersOption _workers = new();

    /// <summary>The command.</summary>
    public Command Create()
    {
        var command = new Command(
            "estimate",
            "Answers a property such as 'P[ G<=10msg latency(publish) < 50ms ]', "
                + "'E[ max latency ]', 'Q0.95[ max latency ]' or 'D[ max latency ]'."
        )
        {
            _property,
            _model,
            _against,
            _log,
            _profiles,
            _clients,
            _epsilon,
            _error,
            _rule,
            _replications,
            _indifference,
            _beyond,
            _seed,
        };
        _workers.AddTo(command);
        command.Concludes((parse, _) => _workers.RunAsync(parse, screen, interruption, runner => Run(parse, runner)));
        return command;
    }

    private Conclusion Run(ParseResult parse, IShardRunner? runner)
    {
        var asked = TraceProperty.Parse(parse.GetValue(_property)!);
        var options = new PropertyOptions
        {
            Seed = parse.GetValue(_seed),
            Error = parse.GetValue(_error),
            Epsilon = parse.GetValue(_epsilon),
            Rule = EstimationRules.Of(parse.GetValue(_rule)!),
            Replications = parse.GetValue(_replications),
            Indifference = parse.GetValue(_indifference),
            Beyond = parse.GetValue(_beyond),
            Runner = runner ?? new CountingRunner(screen, Environment.ProcessorCount),
        };
        RejectContradictions(parse, options);
        if (parse.GetValue(_log) is { } logFile)
            return OfLog(asked, logFile.ToString(), options);
        var modelFile = parse.GetValue(_model)!.ToString();
        var learned = LatencyModelFile.Read(modelFile);
        var otherFile = parse.GetValue(_against)?.ToString();
        var other = otherFile is null ? null : LatencyModelFile.Read(otherFile);
        var fleets = parse.GetValue(_clients)!.Of(CommonOptions.Read(parse.GetValue(_profiles)!));
        var request = new EstimateRequest(asked, options, fleets, ShowsProgress: runner is null);
        return other is null ? Predict(request, learned) : Compare(request, (modelFile, learned), (otherFile!, other));
    }

    private Conclusion Predict(EstimateRequest request, LearnedModel learned)
    {
        var (conclusion, noted) = (Conclusion.Success, new HashSet<string>());
        foreach (var (where, answer) in EstimateStage.Predict(interruption.At(screen), request, learned))
        {
            Print(answer, where, noted);
            conclusion = Conclusions.Gravest(conclusion, EstimateStage.Conclude(answer));
            if (answer.IsInterrupted)
                return interruption.End(screen, conclusion);
        }
        return conclusion;
    }

    private Conclusion Compare(
        EstimateRequest request,
        (string File, LearnedModel Model) first,
        (string File, LearnedModel Model) second
    )
    {
        var conclusion = Conclusion.Success;
        var pairs = EstimateStage.Compare(
            interruption.At(screen),
            request,
            first.Model,
            second.Model,
            (model, note) => screen.Line($"Note on {(model == 0 ? first.File : second.File)}: {note}")
        );
        foreach (var (where, pair) in pairs)
        {
            Print(pair, where, first.File, second.File);
            conclusion = Conclusions.Gravest(conclusion, EstimateStage.Conclude(pair));
        }
        return conclusion;
    }

    private Conclusion OfLog(TraceProperty asked, string log, PropertyOptions options)
    {
        var answer = EstimateStage.OfLog(screen, asked, options, log);
        Print(answer, log, []);
        return EstimateStage.Conclude(answer);
    }

    private void RejectContradictions(ParseResult parse, PropertyOptions options)
    {
        var modelFile = parse.GetValue(_model);
        var logFile = parse.GetValue(_log);
        var otherFile = parse.GetValue(_against);
        if (otherFile is not null && modelFile is null)
            throw new InputException(
                "--against: given without --model; allowed: with --model, the model that it is compared with."
            );
        if (
            otherFile is not null
            && (options.Indifference is not null || parse.GetResult(_rule) is { Implicit: false })
        )
            throw new InputException(
                "--against: given with --rule or --indifference; allowed: --replications, "
                    + "--epsilon and --error, because pairs are of a fixed number."
            );
        if (modelFile is null == logFile is null)
            throw new InputException("estimate: the traces come from --model or from --log; allowed: one of them.");
    }

    /// <summary>The property of a command.</summary>
    internal static Argument<string> Property() =>
        new("property")
        {
            HelpName = "PROPERTY",
            Description = "What is asked about the trace of a client: its sequence of messages.",
        };

    /// <summary><c>--error</c>.</summary>
    internal static Option<double> Error(string description) =>
        new("--error")
        {
            HelpName = "P",
            Description = description,
            DefaultValueFactory = _ => .01,
            CustomParser = Values.Between(0, .5),
        };

    private void Print(PairedAnswer pair, string where, string first, string second)
    {
        var isDuration = pair.Property is { Kind: PropertyKind.Expectation, Measure.IsDuration: true };
        string Number(double value) => EstimateCommand.Number(value, isDuration);
        _answers.Add(pair, where, first, second);
        if (pair.Difference is not { } difference)
            screen.Line($"{pair.Property}  {where}: withheld, it says nothing");
        else
        {
            var interval = pair.Interval is { } known ? $" [{Number(known.Lower)}, {Number(known.Upper)}]" : "";
            var judged = pair.Judged.InWords is { } some ? ", " + some : "";
            screen.Line(
                $"{pair.Property}  {where}: {Number(pair.First!.Value)} with {first}, "
                    + $"{Number(pair.Second!.Value)} with {second}; difference {Number(difference)}{interval}{judged}"
            );
            screen.Line(
                "  "
                    + (
                        pair.IsFirstBetter switch
                        {
                            true => $"{first} is better.",
                            false => $"{second} is better.",
                            _ when pair.Interval is { } range && !range.Contains(0) =>
                                $"It is {(difference > 0 ? "larger" : "smaller")} with {first}.",
                            _ => "No difference is shown.",
                        }
                    )
            );
        }
        screen.Line($"  {pair.Method}");
        if (pair.Narrowing is { } narrowing)
        {
            screen.Line(
                "  The common random numbers make its standard error "
                    + Invariant($"{narrowing:0.00} times that of separate simulations")
                    + (
                        narrowing > 0
                            ? Invariant(
                                $", which would take {1 / (narrowing * narrowing):0.0} times as many replications."
                            )
                            : "."
                    )
            );
        }
        screen.Lines(pair.Notes.Select(note => $"  Note: {note}"));
    }

    private static string Number(double value, bool isDuration) =>
        double.IsInfinity(value)
            ? "infinite"
            : value.ToString(isDuration ? "0.###" : "0.####", CultureInfo.InvariantCulture) + (isDuration ? " ms" : "");

    private void Print(PropertyAnswer answer, string where, HashSet<string> noted)
    {
        var isDuration = answer.Property.Measure?.IsDuration ?? false;
        string Number(double value) => EstimateCommand.Number(value, isDuration);
        string Range(Interval interval) => $"[{Number(interval.Lower)}, {Number(interval.Upper)}]";
        var verdict =
            answer.SaysNothing ? "withheld, it says nothing"
            : answer.Property.IsRequirement
                ? answer.Holds switch
                {
                    true => "holds",
                    false => "does not hold",
                    null => "undecided",
                }
            : "";
        _answers.Add(answer, where, verdict);
        var interval = answer.Interval is { } some ? $" {Range(some)}" : "";
        var estimate = answer.Estimate is { } value
            ? $"{(verdict.Length > 0 ? "estimate " : "")}{Number(value)}{interval}"
            : "";
        string[] said = [verdict, estimate, answer.Judged.InWords ?? ""];
        var line = string.Join(", ", said.Where(part => part.Length > 0));
        // Whether the answer may be trusted comes before the answer, once where it is about all setups.
        screen.Lines(answer.Notes.Where(noted.Add).Select(note => $"Note: {note}"));
        screen.Line($"{answer.Property}  {where}: {line}".TrimEnd(':', ' '));
        if (answer.Quantiles.Count > 0)
        {
            var table = new TextTable("share", "value", "interval");
            foreach (var row in answer.Quantiles)
                table.Add(
                    TableCell.Of(row.Share, row.Share.ToString(CultureInfo.InvariantCulture)),
                    TableCell.Of(row.Value, Number(row.Value)),
                    TableCell.Of(row.Interval, Range(row.Interval))
                );
            table.Print(screen);
        }
        screen.Line($"  {answer.Method}");
        if (answer.OfSimulation is { } simulated)
            screen.Line($"  Of the simulation alone: {Range(simulated)}");
        screen.Line(
            Invariant($"  {answer.Traces} traces, {answer.Units} {answer.UnitName}")
                + Left(answer.WithoutValue, Silent(answer))
                + Left(answer.CutShort, "ended before they decided")
                + Left(answer.NotCounted, "not counted")
        );
    }

    private static string Left(long count, string what) => count == 0 ? "" : Invariant($"; {count} {what}");

    private static string Silent(PropertyAnswer answer) =>
        answer.Property.Formula is null ? "without a value" : "about which it says nothing, left out";
}
