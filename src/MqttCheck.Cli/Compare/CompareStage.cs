using MqttCheck.App.Predict;
using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.App.Verify;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Predict;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Verify;
using MqttCheck.Comparison;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Learning;
using MqttCheck.Learning.Data;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.Cli.Compare;

/// <summary>
/// From brokers to a comparison: explores, learns and predicts each, then compares runs that the brokers take turns in.
/// </summary>
internal sealed class CompareStage(Screen screen, Interruption interruption, CompareRequest request)
{
    private readonly List<IBrokerUnderTest> _running = [];
    private IFleetRunner _fleets = LocalFleetRunner.Instance;
    private readonly List<string> _warnings = [];
    private TwoSampleOptions _test = request.Test;
    private TimeSpan _budgetPerBroker = request.BudgetPerBroker;

    /// <summary>Makes the comparison.</summary>
    /// <exception cref="BrokerException">A broker cannot be started or reached, or ended.</exception>
    /// <exception cref="InputException">Something in the request does not fit.</exception>
    public async Task<CompareDocument> RunAsync()
    {
        var files = request
            .Brokers.Select(broker => RunFiles.Named(request.Directory, broker.Key, screen.Time.GetUtcNow()))
            .ToArray();
        RefuseShortBaseline();
        RefuseShortBudget();
        // The brokers take turns: no two are loaded at the same time.
        SystemLimits.Require(
            Math.Max(
                TrainingDesign.MostClients,
                request.Baseline?.Setups.Max(setup => setup.Clients) ?? request.Clients.Max()
            )
        );
        try
        {
            foreach (var broker in request.Brokers)
            {
                _running.Add(await StartAsync(broker.Value));
                var (description, client) = (_running[^1].Description, broker.Value.Client);
                var logged = LoggedRun.Describe(description, request.ProtocolVersion, client);
                screen.Note($"{broker.Key}: {PredictStage.Describe(logged)} at {_running[^1].Address}");
            }
            await using var workers = await request.ConnectAsync();
            _fleets = workers.Fleets;
            var learned = request.Baseline is null ? await LearnAsync(files) : null;
            interruption.Orderly.ThrowIfCancellationRequested();
            var setups = request.Baseline?.Setups ?? Setups(learned!);
            var (result, test) = await CompareAsync(setups, files);
            return new CompareDescription(request, _running, result, test, learned).Document(
                screen.Time.GetUtcNow(),
                _warnings
            );
        }
        finally
        {
            foreach (var broker in _running.Distinct())
                await broker.DisposeAsync();
        }
    }

    // Two clients of the same broker share it: what differs is the client.
    private async Task<IBrokerUnderTest> StartAsync(BrokerChoice choice)
    {
        for (var index = 0; index < _running.Count; index++)
        {
            if (ReferenceEquals(request.Brokers[index].Value.Launch, choice.Launch))
                return _running[index];
        }
        return await choice.StartAsync(interruption.Orderly);
    }

    // The same training cases on every broker, case by case in turns.
    private async Task<List<(LearnedModel Model, Prediction Prediction)>> LearnAsync(RunFiles[] files)
    {
        var seed = SeedPurpose.Explore.Seed(request.Seed);
        var cases = TrainingDesign.Doe2(
            seed,
            request.Plan.Exploration,
            request.Clients.Max(),
            [.. request.Populations]
        );
        var campaigns = _running.Select((_, index) => Campaign(seed, index)).ToArray();
        var logs = _running
            .Select(
                (broker, index) =>
                    new LoggedRun(files[index].Log, broker, campaigns[index], screen.Time, request.Plan.Coarse)
            )
            .ToArray();
        try
        {
            var made = _running.Select(_ => (Cases: new List<RunCase>(), Runs: new List<FleetRunResult>())).ToArray();
            await screen.ProgressAsync(
                "Explore",
                report =>
                    Task.Run(() =>
                    {
                        Explore(cases, campaigns, logs, made, report);
                        return true;
                    })
            );
            for (var index = 0; index < logs.Length; index++)
            {
                logs[index]
                    .Close(
                        made[index].Cases,
                        made[index].Runs,
                        complete: made[index].Cases.Count == cases.Count && made[index].Cases.All(done => done.Complete)
                    );
                AddWarnings(index, made[index].Runs);
            }
        }
        finally
        {
            foreach (var log in logs)
                log.Dispose();
        }
        interruption.Orderly.ThrowIfCancellationRequested();
        return await screen.ProgressAsync("Learn and predict", _ => Task.Run(() => Predict(files)));
    }

    private void Explore(
        IReadOnlyList<TrainingCase> cases,
        CampaignOptions[] campaigns,
        LoggedRun[] logs,
        (List<RunCase> Cases, List<FleetRunResult> Runs)[] made,
        Action<double, string> report
    )
    {
        for (var number = 0; number < cases.Count; number++)
        {
            for (var turn = 0; turn < _running.Count && !interruption.Orderly.IsCancellationRequested; turn++)
            {
                var index = (number + turn) % _running.Count;
                report(
                    ((double)number * _running.Count + turn) / (cases.Count * _running.Count),
                    Invariant($"case {number + 1} of {cases.Count}, {request.Brokers[index].Key}")
                );
                var exploration = new Exploration(_running[index], campaigns[index], screen.Time).Run(
                    [cases[number]],
                    logs[index].Sink,
                    null,
                    interruption.Orderly,
                    interruption.AtOnce
                );
                made[index].Cases.AddRange(exploration.Cases);
                made[index].Runs.AddRange(exploration.Runs);
            }
        }
    }

    private List<(LearnedModel Model, Prediction Prediction)> Predict(RunFiles[] files)
    {
        var models = new List<LearnedModel>();
        foreach (var file in files)
        {
            models.Add(LatencyLearning.Learn([ExchangeLogReader.Read(file.Log)], request.Learner, request.Seed));
            LatencyModelFile.Write(file.Model, models[^1]);
        }
        var options = new PredictionOptions { Seed = SeedPurpose.Predict.Seed(request.Seed) };
        // A difference between brokers is easiest to detect at a probability near .85. Each broker gives the threshold
        // nearest to that, and all brokers are compared at all of them.
        var thresholds =
            request.Thresholds.Count > 0
                ? request.Thresholds
                :
                [
                    .. models
                        .SelectMany(
                            (model, index) =>
                                Predicted(model, files[index].Model, [])
                                    .MostInformativePoints.Select(point => point.ThresholdMilliseconds)
                        )
                        .Distinct()
                        .Order(),
                ];
        var learned = new List<(LearnedModel, Prediction)>();
        for (var index = 0; index < models.Count; index++)
        {
            var prediction = Predicted(models[index], files[index].Model, thresholds);
            PredictionFile.Write(files[index].Prediction, prediction);
            _warnings.AddRange(prediction.Notes.Select(note => $"{request.Brokers[index].Key}: {note}"));
            learned.Add((models[index], prediction));
        }
        return learned;

        Prediction Predicted(LearnedModel model, string file, IReadOnlyList<double> given) =>
            PredictStage.Predict(
                model,
                new(file, FleetSizes.Of(request.Clients).Of(request.Populations), given, options),
                (_, _) => { },
                interruption.Orderly
            );
    }

    // Each setup is compared at the thresholds where some broker is near .85, or at all thresholds that the user gave.
    private List<ComparedSetup> Setups(List<(LearnedModel Model, Prediction Prediction)> learned)
    {
        var setups = new List<ComparedSetup>();
        foreach (var population in request.Populations)
        {
            foreach (var clients in request.Clients)
            {
                double[] informative =
                [
                    .. learned.Select(one =>
                        one.Prediction.MostInformativePoints.First(point =>
                            point.Profile == population.Name && point.Clients == clients
                        ).ThresholdMilliseconds
                    ),
                ];
                setups.Add(
                    request.Thresholds.Count > 0
                        ? new(population, clients, 1, request.Thresholds)
                        : new(population, clients, 1, [.. informative.Distinct().Order()])
                        {
                            MostInformative = informative,
                        }
                );
            }
        }
        return Plan(setups, learned);
    }

    // Runs are as many and as long as equal brokers need to be found equal, as far as the budget allows.
    private List<ComparedSetup> Plan(
        List<ComparedSetup> setups,
        List<(LearnedModel Model, Prediction Prediction)> learned
    )
    {
        double Slowest(ComparedSetup setup) =>
            learned.Max(one => RunTime.SequenceSeconds(one.Prediction, setup.Population, setup.Clients));
        var isAny = request.Test.Guarantee == Guarantee.Any;
        var family = request.Test with { Comparisons = ComparisonCampaign.Comparisons(_running.Count, setups) };
        var plans = TwoSamplePlan.For(
            ThresholdChooser.MostInformative,
            family,
            [.. setups.Select(setup => ((double)setup.Clients, Slowest(setup)))],
            RunTime.OverheadInSequences,
            request.Runs
        );
        var planned = TimeSpan.FromSeconds(
            setups.Zip(plans, (setup, plan) => plan.Runs * TimeOf(setup).Seconds(plan.Rounds, Slowest(setup))).Sum()
        );
        var runs = plans.Max(plan => plan.Runs);
        Allow(planned, runs);
        screen.Note(
            Invariant($"planned: {runs} runs of each broker and ")
                + Invariant($"setup{(isAny ? " at most, if brokers are equal or differ by what matters" : "")}, ")
                + Invariant($"about {planned.TotalSeconds * _running.Count:0} s in all")
                + (
                    isAny
                        ? ". " + VerdictPromise.Borne(plans.Min(plan => plan.InvalidRunsBorne(family))).TrimEnd('.')
                        : ""
                )
        );
        return
        [
            .. setups.Zip(
                plans,
                (setup, plan) =>
                    setup with
                    {
                        CountedSequences = setup.Population.WholeRounds(
                            isAny ? plan.Rounds : Math.Max(1, Math.Min(plan.Rounds, Fitting(setup)))
                        ),
                    }
            ),
        ];

        int Fitting(ComparedSetup setup) =>
            TimeOf(setup).SequencesWithin(request.BudgetPerBroker.TotalSeconds / (setups.Count * runs), Slowest(setup));
    }

    private static RunTime TimeOf(ComparedSetup setup) => new(setup.Population, setup.Clients);

    private void Allow(TimeSpan planned, int runs)
    {
        if (request.Test.Guarantee == Guarantee.Any)
        {
            if (request.IsBudgetGiven && planned > request.BudgetPerBroker)
                throw TooShort(planned, runs);
            // Turns and clean-up take a little more.
            if (!request.IsBudgetGiven && planned * 1.1 > _budgetPerBroker)
                _budgetPerBroker = planned * 1.1;
        }
        else
        {
            // The budget may hold more runs than a quiet pair of brokers takes. A few more are no further look.
            var held = (int)(runs * (request.BudgetPerBroker / planned));
            _test = request.Test with { MinimumRuns = runs, PlannedRuns = held < RunLooks.Growth * runs ? runs : held };
        }
    }

    private InputException TooShort(TimeSpan planned, int runs) =>
        new(
            Invariant($"--budget: {request.BudgetPerBroker.TotalSeconds:0.###} s per broker given; with ")
                + Invariant(
                    $"--guarantee any about {runs} runs are needed, which take about {planned.TotalSeconds:0} s: "
                )
                + "allow that much, leave --budget out, or ask for a larger --error or --indifference."
        );

    // The waiting times of clients and the smallest number of runs are known before anything is started.
    private void RefuseShortBudget()
    {
        if (request.Test.Guarantee == Guarantee.Any)
            return;
        var setups =
            request.Baseline?.Setups
            ??
            [
                .. request.Populations.SelectMany(population =>
                    request.Clients.Select(clients => new ComparedSetup(population, clients, 1, request.Thresholds))
                ),
            ];
        var runs = request.Test.MinimumRuns;
        var least = TimeSpan.FromSeconds(runs * setups.Sum(setup => TimeOf(setup).Seconds(setup.CountedSequences)));
        if (least <= request.BudgetPerBroker * RunLoopOptions.DefaultGrace)
            return;
        var enough = TimeSpan.FromSeconds(Math.Ceiling(least.TotalSeconds * 1.1 / 10) * 10);
        throw new InputException(
            Invariant($"--budget: {BudgetCheck.Duration(request.BudgetPerBroker)} per broker ")
                + Invariant($"{(request.IsBudgetGiven ? "given" : "by default")} cannot suffice: {runs} runs of each ")
                + Invariant($"setup take about {BudgetCheck.Duration(least)}, because clients wait between messages; ")
                + Invariant(
                    $"allowed: --budget {BudgetCheck.Duration(enough)} or more, fewer --runs, or a profile with "
                )
                + "shorter waits or a smaller \"sequenceLength\"."
        );
    }

    // A verdict without an assumption needs to know the stored mean; it is refused before anything is started.
    private void RefuseShortBaseline()
    {
        if (request.Baseline is not { } baseline || request.Test.Guarantee != Guarantee.Any)
            return;
        var needed = TwoSamplePlan.StoredRunsOfAnyLaw(
            request.Test with
            {
                Comparisons = ComparisonCampaign.Comparisons(request.Brokers.Count, baseline.Setups),
            },
            ThresholdChooser.MostInformative
        );
        if (baseline.Setups.Min(setup => setup.StoredRuns!.Count) is var stored && stored < needed)
            throw new InputException(
                Invariant($"--guarantee any: the baseline has {stored} runs of a setup; without ")
                    + Invariant($"an assumption on the law of the runs at least {needed} are needed, ")
                    + "because the baseline itself may have missed a bad state: store "
                    + Invariant($"them with 'run --runs {needed} --save-baseline FILE', compare the ")
                    + "two brokers with each other (--brokers), or leave --guarantee out."
            );
    }

    private async Task<(ComparisonResult Result, VerificationOptions Test)> CompareAsync(
        IReadOnlyList<ComparedSetup> setups,
        RunFiles[] files
    )
    {
        // A baseline's clients made the choices of its own seed.
        var seed = SeedPurpose.Verify.Seed(request.Baseline?.Seed ?? request.Seed);
        var campaigns = _running.Select((_, index) => Campaign(seed, index)).ToArray();
        var logs = _running
            .Select(
                (broker, index) =>
                    new LoggedRun(files[index].VerificationLog, broker, campaigns[index], screen.Time, coarse: false)
            )
            .ToArray();
        try
        {
            // One prefix per run and broker: two brokers share nothing, so one campaign serves all.
            var comparison = new ComparisonCampaign(_running, campaigns[0], _test, screen.Time)
            {
                Clients = [.. request.Brokers.Select(broker => broker.Value.Client)],
                Labels = [.. request.Brokers.Select(broker => broker.Key)],
            };
            var result = await screen.ProgressAsync(
                "Compare",
                report =>
                    Task.Run(() =>
                        comparison.Run(
                            setups,
                            _budgetPerBroker * _running.Count,
                            [.. logs.Select(log => log.Sink)],
                            new CampaignRelay(report),
                            interruption.Orderly,
                            interruption.AtOnce
                        )
                    )
            );
            for (var index = 0; index < logs.Length; index++)
            {
                logs[index].Close(result.Cases[index], result.Runs[index], complete: !result.Interrupted);
                AddWarnings(index, result.Runs[index]);
            }
            var points = setups.Sum(setup => setup.ThresholdsMilliseconds.Count) * _running.Count;
            return (
                result,
                new()
                {
                    Error = _test.Error,
                    Indifference = _test.Indifference,
                    MinimumRuns = _test.MinimumRuns,
                    Points = points,
                }
            );
        }
        finally
        {
            foreach (var log in logs)
                log.Dispose();
        }
    }

    private CampaignOptions Campaign(ulong seed, int index) =>
        request.Brokers[index].Value.Live(request.ProtocolVersion).Campaign(SeedPurpose.Explore) with
        {
            Seed = seed,
            Fleets = _fleets,
        };

    private void AddWarnings(int index, IReadOnlyList<FleetRunResult> runs) =>
        _warnings.AddRange(RunWarnings.Of(runs).Select(warning => $"{request.Brokers[index].Key}: {warning}"));
}
