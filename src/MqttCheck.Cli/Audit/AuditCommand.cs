using System.CommandLine;
using System.Globalization;
using MqttCheck.App.Audit;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Audit;

/// <summary><c>mqttcheck audit</c>: what every statistical rule promises, and what it keeps.</summary>
internal sealed class AuditCommand(Screen screen, Interruption interruption)
{
    private static readonly double[] s_fewPredictions = [.85],
        s_manyPredictions = [.5, .7, .85, .93, .98];

    private readonly Option<bool> _full = new("--full")
    {
        Description =
            "A fine grid of probabilities (steps of .0005), which takes about half a minute "
            + "on two processors; with --verdicts more predictions, which takes minutes.",
    };

    private readonly Option<bool> _verdicts = new("--verdicts")
    {
        Description =
            "Audit the verdicts of 'verify' instead: simulated verifications of "
            + "right and wrong predictions, with outcomes that depend on each other.",
    };

    private readonly Option<bool> _promises = new("--promises")
    {
        Description =
            "Audit all promises instead, by simulation and under laws that are harder "
            + "than what the tests assume: the table of promises. Takes half an hour.",
    };

    private readonly Option<long> _simulations = new("--simulations")
    {
        HelpName = "N",
        Description =
            "With --promises: the smallest number of simulations of a cell. Default "
            + $"{AuditStage.FewestSimulations}; what stays undecided gets up to {AuditStage.MostSimulations}.",
        DefaultValueFactory = _ => AuditStage.FewestSimulations,
        CustomParser = result => Values.Integer(1, AuditStage.MostSimulations)(result),
    };

    private readonly Option<string?> _only = new("--only")
    {
        HelpName = "TEXT",
        Description =
            "With --promises: only the cells whose line has this text, for example 'comparison' or "
            + "'0.5 in 30% of the runs'. Each cell has the numbers that it has in the whole table.",
    };

    private readonly Option<FileInfo?> _page = new("--output", "-o")
    {
        HelpName = "FILE",
        Description =
            "With --promises: also write a page to this file, as Markdown, and the whole table beside it, as CSV.",
    };

    private readonly Option<double> _epsilon = new("--epsilon")
    {
        HelpName = "E",
        Description = "Half width that the estimation rules promise. Default 0.05.",
        DefaultValueFactory = _ => .05,
        CustomParser = Values.Between(0, .5),
    };

    private readonly Option<double> _error = new("--error")
    {
        HelpName = "P",
        Description = "Error that every rule promises. Default 0.01.",
        DefaultValueFactory = _ => .01,
        CustomParser = Values.Between(0, .5),
    };

    private readonly Option<int> _verifications = new("--verifications")
    {
        HelpName = "N",
        Description = "With --verdicts: how many verifications make a line. Default 1000.",
        DefaultValueFactory = _ => 1000,
        CustomParser = Values.Integer(1, 1_000_000),
    };

    private readonly Option<double[]?> _predictions = new("--predictions")
    {
        HelpName = "P,P,...",
        Description =
            "With --verdicts: which predictions. Default "
            + $"{Listed(s_fewPredictions)}; {Listed(s_manyPredictions)} with --full.",
        CustomParser = Values.Probabilities,
    };

    private readonly Option<ulong> _seed = CommonOptions.Seed();
    private readonly Option<DirectoryInfo?> _plots = PlotsOption.Create(
        "the true error of each rule beside its promise"
    );

    /// <summary>The command.</summary>
    public Command Create()
    {
        var command = new Command(
            "audit",
            "Computes the true error of every statistical rule of this tool "
                + "for a grid of probabilities, and prints it beside the promise."
        )
        {
            _full,
            _epsilon,
            _error,
            _verdicts,
            _predictions,
            _verifications,
            _promises,
            _simulations,
            _only,
            _page,
            _seed,
            _plots,
        };
        command.Concludes((parse, _) => RunAsync(parse));
        return command;
    }

    private Task<Conclusion> RunAsync(ParseResult parse)
    {
        Require(parse, _promises, [_simulations, _only, _page]);
        Require(parse, _verdicts, [_predictions, _verifications]);
        return Task.FromResult(parse.GetValue(_promises) ? Promises(parse) : Errors(parse));
    }

    private static void Require(ParseResult parse, Option<bool> table, IEnumerable<Option> options)
    {
        if (
            !parse.GetValue(table)
            && options.FirstOrDefault(option => parse.GetResult(option) is { Implicit: false }) is { } alone
        )
            throw new InputException($"{alone.Name}: given without {table.Name}; allowed: beside it.");
    }

    private Conclusion Promises(ParseResult parse) =>
        new PromiseText(screen).Run(
            interruption,
            parse.GetValue(_simulations),
            parse.GetValue(_only),
            parse.GetValue(_page)?.ToString(),
            parse.GetValue(_seed)
        );

    private Conclusion Errors(ParseResult parse)
    {
        var drawTo = PlotsOption.Of(parse, _plots);
        var (text, isFull, ofVerdicts) = (new AuditText(screen), parse.GetValue(_full), parse.GetValue(_verdicts));
        var place = interruption.At(screen);
        var conclusion = ofVerdicts
            ? text.Verdicts(
                place,
                parse.GetValue(_predictions) is { Length: > 0 } given ? given
                    : isFull ? s_manyPredictions
                    : s_fewPredictions,
                parse.GetValue(_verifications),
                parse.GetValue(_seed)
            )
            : text.Rules(place, isFull, parse.GetValue(_epsilon), parse.GetValue(_error));
        if (drawTo is not null)
            PlotFiles.Print(screen, AuditPlots.Draw(text.Audited, ofVerdicts, drawTo), drawTo);
        return conclusion;
    }

    private static string Listed(double[] probabilities) =>
        string.Join(',', probabilities.Select(probability => probability.ToString(CultureInfo.InvariantCulture)));
}
