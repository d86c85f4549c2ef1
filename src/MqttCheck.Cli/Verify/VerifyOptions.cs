using System.CommandLine;
using MqttCheck.App.Runs;
using MqttCheck.App.Verify;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.Cli.Verify;

/// <summary>The options of the test, the same in <c>verify</c> and <c>run</c>.</summary>
internal sealed class VerifyOptions
{
    private const string TwoSided = "two-sided",
        OneSided = "one-sided",
        EachClient = "clients",
        OfModel = "model",
        OfAnyLaw = "any";

    private readonly Option<double?> _error = new("--error")
    {
        HelpName = "P",
        Description =
            Invariant($"Largest probability that some verdict is wrong. Default {RunPlan.Full.Error}; ")
            + Invariant($"{RunPlan.Quick.Error} with --quick."),
        CustomParser = result => Values.Between(0, .5)(result),
    };

    private readonly Option<double?> _indifference = new("--indifference")
    {
        HelpName = "D",
        Description =
            "How far from the predicted probability the truth may lie and still count as predicted. "
            + Invariant($"Default {RunPlan.Full.Indifference}; {RunPlan.Quick.Indifference} with --quick."),
        CustomParser = result => Values.Between(0, .5)(result),
    };

    private readonly Option<int?> _runs = new("--runs")
    {
        HelpName = "N",
        Description =
            "Runs per setup before the first look at the verdict; undecided ones get more while the budget "
            + "lasts. Default: as many as give a verdict soonest, "
            + $"at least {RunPlan.Full.Runs}; {RunPlan.Quick.Runs} with --quick.",
        CustomParser = result => Values.Integer(3, 1000)(result),
    };

    private readonly Option<TimeSpan?> _budget = new("--budget")
    {
        HelpName = "TIME",
        Description =
            "How long verification may take: no run begins that would end later. One that cannot suffice is "
            + "refused beforehand, with one that can. Default "
            + $"{RunPlan.Full.Verification.TotalSeconds}s; {RunPlan.Quick.Verification.TotalSeconds}s with "
            + "--quick; with --guarantee any a quarter more than the runs that it takes.",
        CustomParser = result => Values.Duration(result),
    };

    private readonly Option<int[]?> _clients = new(AskedTest.ClientsName)
    {
        HelpName = "N,N,...",
        Description =
            "Which client counts to verify. Default: the largest of each profile whose prediction is "
            + "precise enough to be confirmed.",
        CustomParser = Values.Integers(1, 20_000),
    };

    private readonly Option<bool> _all = new("--all-thresholds")
    {
        Description =
            "Verify every predicted threshold of the chosen setups, not only the most informative one; the "
            + "same runs serve all of them.",
    };

    private readonly Option<string> _test = new Option<string>("--test")
    {
        HelpName = "TEST",
        Description =
            "two-sided: neither worse nor better than predicted. one-sided: not worse; accepts every "
            + "prediction that is too low. clients: as in the original paper, each client tests for itself, "
            + "one-sided, and enough of them "
            + "must accept; takes some hundred sequences of each client.",
        DefaultValueFactory = _ => TwoSided,
    }.Accepting(TwoSided, OneSided, EachClient);

    private readonly Option<string> _guarantee = new Option<string>("--guarantee")
    {
        HelpName = "LAW",
        Description =
            $"Where the error is promised. model: {VerdictPromise.ModelLaw}; a bad "
            + "state that no run showed is not excluded, and the verdict says how much of it. any: runs vary "
            + "by any law and are independent; "
            + "takes several times as many runs, 43 at least for an indifference of 0.1 at 0.85.",
        DefaultValueFactory = _ => OfModel,
    }.Accepting(OfModel, OfAnyLaw);

    private readonly Option<double?> _worstRun = WorstRunOption.Create();

    private readonly Option<double?> _accepting = new("--accepting-share")
    {
        HelpName = "SHARE",
        Description = "With --test clients: the share of clients that must accept. Default 1, all of them.",
        CustomParser = result => Values.Share(result),
    };

    private readonly Option<int?> _monteCarlo = new("--confirm-with")
    {
        HelpName = "N",
        Description =
            $"After the verdicts, measure again: N sequences of each verified setup in {MonteCarlo.Runs} "
            + "fresh runs, and say whether they confirm the verdicts.",
        CustomParser = result => Values.Integer(1, 1_000_000)(result),
    };

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        command.Validators.Add(result =>
        {
            WorstRunOption.Require(result, _worstRun, () => result.GetValue(_guarantee) == OfAnyLaw);
            if (result.GetResult(_accepting) is not null && result.GetValue(_test) != EachClient)
                result.AddError(
                    $"{_accepting.Name}: given with another {_test.Name}; allowed: only with {_test.Name} {EachClient}."
                );
            if (result.GetValue(_guarantee) == OfAnyLaw && result.GetValue(_test) == EachClient)
                result.AddError(
                    $"{_guarantee.Name} {OfAnyLaw}: given with {_test.Name} {EachClient}; allowed: with "
                        + $"{TwoSided} or {OneSided}, because clients are not runs."
                );
        });
        command.AddAll(
            _test,
            _accepting,
            _guarantee,
            _worstRun,
            _error,
            _indifference,
            _runs,
            _budget,
            _clients,
            _all,
            _monteCarlo
        );
    }

    /// <summary>The verification that the command line asks for.</summary>
    /// <param name="plan">The plan that gives the defaults.</param>
    public AskedTest Asked(ParseResult parse, RunPlan plan)
    {
        var isOfAnyLaw = parse.GetValue(_guarantee) == OfAnyLaw;
        var plain = AskedTest.Of(plan);
        return plain with
        {
            Clients = parse.GetValue(_clients) ?? [],
            AllThresholds = parse.GetValue(_all),
            OfOnePoint = plain.OfOnePoint with
            {
                Error = parse.GetValue(_error) ?? plan.Error,
                Indifference = parse.GetValue(_indifference) ?? plan.Indifference,
                // Bets may be looked at after every run.
                MinimumRuns = parse.GetValue(_runs) ?? (isOfAnyLaw ? 3 : plan.Runs),
                Guarantee = isOfAnyLaw ? Guarantee.Any : Guarantee.Model,
                WorstRun = parse.GetValue(_worstRun),
                Test = parse.GetValue(_test) switch
                {
                    OneSided => VerdictTest.OneSided,
                    EachClient => VerdictTest.Clients,
                    _ => VerdictTest.TwoSided,
                },
                AcceptingShare = parse.GetValue(_accepting) ?? 1,
            },
            IsNumberOfRunsFixed = parse.GetValue(_runs) is not null,
            Budget =
                parse.GetValue(_budget) is { } given ? new(given)
                : isOfAnyLaw ? null
                : plain.Budget,
            MonteCarloSequences = parse.GetValue(_monteCarlo),
        };
    }
}
