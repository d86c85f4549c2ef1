using System.CommandLine;
using System.Globalization;
using MqttCheck.App.Runs;
using MqttCheck.Auditing;
using MqttCheck.Auditing.Promises;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Text;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.Cli.Audit;

/// <summary><c>mqttcheck audit</c>: what every statistical rule promises, and what it keeps.</summary>
internal sealed class AuditCommand(Screen screen, Interruption interruption)
{
    private readonly AuditTables _tables = new(screen);

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
            + $"{PromiseRule.FewestTrials}; what stays undecided gets up to {PromiseRule.MostTrials}.",
        DefaultValueFactory = _ => PromiseRule.FewestTrials,
        CustomParser = result => Values.Integer(1, (int)PromiseRule.MostTrials)(result),
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
        if (parse.GetValue(_promises))
            return Task.FromResult(
                Promises(
                    parse.GetValue(_simulations),
                    parse.GetValue(_only),
                    parse.GetValue(_page)?.ToString(),
                    parse.GetValue(_seed)
                )
            );
        var drawTo = PlotsOption.Of(parse, _plots);
        var audited = new List<AuditPlots.Row>();
        var conclusion = parse.GetValue(_verdicts)
            ? Verdicts(
                parse.GetValue(_predictions) is { Length: > 0 } given ? given
                    : parse.GetValue(_full) ? s_manyPredictions
                    : s_fewPredictions,
                parse.GetValue(_verifications),
                parse.GetValue(_seed),
                audited
            )
            : Rules(parse.GetValue(_full), parse.GetValue(_epsilon), parse.GetValue(_error), audited);
        if (drawTo is not null)
            PlotFiles.Print(screen, AuditPlots.Draw(audited, parse.GetValue(_verdicts), drawTo), drawTo);
        return Task.FromResult(conclusion);
    }

    private Conclusion Rules(bool full, double epsilon, double error, List<AuditPlots.Row> audited)
    {
        var rules = RuleAudit.Rules(epsilon, error);
        var grid = full ? RuleAudit.FineGrid : RuleAudit.CoarseGrid;
        var started = screen.Time.GetTimestamp();
        if (full)
            screen.Note(
                $"{rules.Count} rules, each at {grid.Count} probabilities: about "
                    + "half a minute on two processors, a line as soon as it is computed"
            );
        screen.Line(Invariant($"{"rule", -60} {"promised", 8} {"true", 9} {"at p", 7} {"samples", 8}"));
        var broken = 0;
        foreach (var line in rules.Select(rule => rule.On(grid, Environment.ProcessorCount, interruption.Orderly)))
        {
            var remark = line.IsKept
                ? line.IsGuarantee
                    ? ""
                    : "  no guarantee"
                : line.IsGuarantee
                    ? "  BROKEN"
                    : "  broken, no guarantee";
            if (line is { IsGuarantee: true, IsKept: false })
                broken++;
            _tables.Add(line);
            audited.Add(new(line.Rule, line.Promised, line.Worst, line.IsGuarantee, line.IsKept));
            screen.Line(
                Invariant($"{line.Rule, -60} {line.Promised, 8:0.#####} {line.Worst, 9:0.000000} ")
                    + Invariant($"{line.AtProbability, 7:0.####} {line.LargestExpectedSamples, 8:0}{remark}")
            );
        }
        screen.Note(Invariant($"computed in {screen.Time.GetElapsedTime(started).TotalSeconds:0.0} s"));
        screen.Line();
        screen.Line(
            broken == 0
                ? "Every rule that is offered as a guarantee keeps its promise at every probability of the grid."
                : $"{broken} rules that are offered as guarantees break their promise."
        );
        return Conclusions.Of(broken == 0);
    }

    private Conclusion Promises(long simulations, string? only, string? page, ulong seed)
    {
        if (page is not null)
            OutputPath.RequireWritable(page, "--output");
        var audits = PromiseAudits.All();
        var all = audits.Sum(audit => audit.Cells.Count);
        var cells = audits.Sum(audit => audit.Cells.Count(cell => cell.Has(only)));
        if (cells == 0)
            throw new InputException(
                $"audit --promises: --only is '{only}'; allowed: a text that one of the {all} cells has in "
                    + "its name, for example a law, a plan or a truth. Without --only each cell prints its name."
            );
        var before = PromisePage.Before();
        var started = screen.Time.GetTimestamp();
        screen.Note(
            Invariant($"{cells}{(cells < all ? $" of {all}" : "")} cells, {simulations} simulations of each ")
                + Invariant($"at least: {Duration(cells, all)} on two processors, a line as soon as it is computed")
        );
        var command =
            "mqttcheck audit --promises --simulations "
            + Invariant($"{simulations}{(only is null ? "" : $" --only '{only}'")} --seed {seed}");
        var results = new List<PromiseResult>();
        var isInterrupted = false;
        var threads = Environment.ProcessorCount;
        try
        {
            foreach (var result in PromiseTable.Run(audits, seed, simulations, threads, only, interruption.Orderly))
            {
                results.Add(result);
                _tables.Add(result, before.TryGetValue(result.Cell.Key, out var share) ? share : null);
                screen.Line(LineOf(result, before));
            }
        }
        catch (OperationCanceledException)
        {
            isInterrupted = true;
            screen.Note(Invariant($"interrupted: {results.Count} of {cells} cells are simulated"));
        }
        if (results.Count == 0)
            return Conclusion.Interrupted;
        if (page is not null)
        {
            // The name without its folder: the page is the same wherever it is written.
            var written = command + $" --output {Path.GetFileName(page)}";
            var seconds = screen.Time.GetElapsedTime(started).TotalSeconds;
            var table = Path.ChangeExtension(page, ".csv");
            AtomicFile.Write(page, PromisePage.Write(results, written, Path.GetFileName(table), seconds, cells));
            AtomicFile.Write(table, PromiseCsv.Write(results, before));
        }
        screen.Line();
        screen.Line(PromiseTally.Of(results).ToString());
        screen.Line("repeat: " + command);
        return Conclusions.Of(
            results.Any(result => result.Status == PromiseStatus.Broken) ? false
                : results.Any(result => result.Status == PromiseStatus.Undecided) ? null
                : true,
            isInterrupted
        );
    }

    // The whole table took 26 minutes on two processors.
    private static string Duration(int cells, int all) =>
        cells == all ? "about half an hour" : Invariant($"about {Math.Ceiling(30.0 * cells / all):0} min");

    private static string LineOf(PromiseResult result, IReadOnlyDictionary<string, double> before)
    {
        var (cell, count) = (result.Cell, result.Count);
        var was = before.TryGetValue(cell.Key, out var share) ? Invariant($", before {share:0.0000}") : "";
        return Invariant($"{PromisePage.Word(result.Status), -9} {cell.Guarantee, -5} {cell.Subject} ")
            + Invariant($"{cell.Variant}, {cell.LawName}, {cell.Situation}: {count.WrongShare:0.0000} ")
            + Invariant($"[{result.Bounds.Lower:0.0000}, {result.Bounds.Upper:0.0000}]")
            + (cell.Promise is { } stated ? Invariant($" of {stated:0.0000}") : "")
            + (cell is { Promise: not null, Floor: > 0 } ? Invariant($" + {cell.Floor:0.0000}") : "")
            + (
                result is { Status: PromiseStatus.KeptWithException, Ratio: { } ratio }
                    ? Invariant($", {ratio:0.0} times the stated one")
                    : ""
            )
            + was
            + Invariant($", withheld {count.WithheldShare:0.000}, {count.Trials} simulations");
    }

    private Conclusion Verdicts(double[] predictions, int verifications, ulong seed, List<AuditPlots.Row> audited)
    {
        screen.Line(
            Invariant($"{"runs", 7} {"points", 6} {"error", 5} {"predicted", 9} {"truth", 6} {"runs", -32} ")
                + Invariant($"{"per run", 7} {"confirmed", 9} {"worse", 6} {"better", 6} {"withheld", 8} {"wrong", 6}")
        );
        var broken = 0;
        foreach (var (options, budgetRuns) in Plans())
        {
            foreach (
                var line in VerificationAudit.Lines(
                    predictions,
                    options,
                    budgetRuns,
                    verifications,
                    seed,
                    Environment.ProcessorCount,
                    interruption.Orderly
                )
            )
            {
                if (line.IsBroken)
                    broken++;
                audited.Add(
                    new(
                        Invariant($"{Runs(line)} runs, {line.Predicted:0.###} predicted, ")
                            + Invariant($"{line.Truth:0.###} true, {line.Law.Name}, {line.Sequences} per run"),
                        options.PointError,
                        (double)line.Tally.Wrong / line.Tally.Total,
                        line.IsPromised,
                        !line.IsBroken
                    )
                );
                _tables.Add(line, options, Runs(line));
                screen.Line(LineOf(line, options));
            }
        }
        screen.Line();
        screen.Line(
            Invariant($"{verifications} verifications a line. ")
                + (broken == 0 ? "No rate" : Invariant($"In {broken} lines the rate"))
                + " of wrong verdicts exceeds the stated error by its 99 % lower bound."
        );
        return Conclusions.Of(broken == 0);
    }

    private static string LineOf(VerificationAuditLine line, VerificationOptions options)
    {
        var tally = line.Tally;
        double Share(int count) => (double)count / tally.Total;
        return Invariant($"{Runs(line), 7} {options.Points, 6} {options.PointError, 5:0.###} ")
            + Invariant($"{line.Predicted, 9:0.###} {line.Truth, 6:0.###} {line.Law.Name, -32} {line.Sequences, 7} ")
            + Invariant($"{Share(tally.Confirmed), 9:0.000} {Share(tally.Worse), 6:0.000} ")
            + Invariant($"{Share(tally.Better), 6:0.000} {Share(tally.Withheld), 8:0.000} ")
            + Invariant($"{Share(tally.Wrong), 6:0.000}")
            + (
                line.IsBroken ? "  BROKEN"
                : line.IsPromised ? ""
                : "  not promised"
            );
    }

    // The audited plans are the smallest of 'run' and 'run --quick', with one look each, and two that
    // VerificationSchedule prefers. These two have more and shorter runs, several points, and further looks.
    private static IEnumerable<(VerificationOptions Options, int BudgetRuns)> Plans()
    {
        foreach (var plan in new[] { RunPlan.Full, RunPlan.Quick })
            yield return (
                new()
                {
                    Error = plan.Error,
                    Indifference = plan.Indifference,
                    MinimumRuns = plan.Runs,
                    PlannedRuns = plan.Runs,
                },
                plan.Runs
            );
        var full = new VerificationOptions { Error = RunPlan.Full.Error, Indifference = RunPlan.Full.Indifference };
        yield return (full with { PlannedRuns = 11 }, 11);
        yield return (
            full with
            {
                MinimumRuns = VerificationSchedule.MostRuns,
                PlannedRuns = VerificationSchedule.MostRuns,
                Points = 2,
            },
            VerificationSchedule.MostRuns + 2
        );
    }

    private static string Runs(VerificationAuditLine line) =>
        line.BudgetRuns == line.Options.MinimumRuns
            ? line.BudgetRuns.ToString(CultureInfo.InvariantCulture)
            : Invariant($"{line.Options.MinimumRuns}..{line.BudgetRuns}");

    private static string Listed(double[] probabilities) =>
        string.Join(',', probabilities.Select(probability => probability.ToString(CultureInfo.InvariantCulture)));
}
