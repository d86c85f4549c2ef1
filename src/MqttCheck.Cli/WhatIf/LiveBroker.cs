using MqttCheck.App.Explore;
using MqttCheck.App.Learn;
using MqttCheck.App.Predict;
using MqttCheck.App.Runs;
using MqttCheck.App.Verify;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Verify;
using MqttCheck.Learning.Learners;
using MqttCheck.Predictions;
using MqttCheck.Protocol;
using MqttCheck.Reports.Formats;
using MqttCheck.Server.Live;
using MqttCheck.Shards;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.WhatIf;

/// <summary>
/// Work on the live broker by the use cases of 'predict', 'verify', 'explore' and 'learn'. So the page's verdict is
/// that of the command which it shows.
/// </summary>
/// <param name="name">The broker as the user named it.</param>
/// <param name="choose">The broker with a seed.</param>
/// <param name="brokerArguments">The options of the broker, as the user gave them.</param>
/// <param name="output">The output directory.</param>
/// <param name="time">The clock.</param>
internal sealed class LiveBroker(
    string name,
    Func<ulong, BrokerChoice> choose,
    IReadOnlyList<string> brokerArguments,
    string output,
    TimeProvider time
) : ILiveBroker
{
    private readonly RunFiles _files = new(output, "what-if");

    /// <inheritdoc/>
    public string Name => name;

    /// <inheritdoc/>
    public async Task<VerificationPlanned> PlanAsync(VerificationAsked asked, CancellationToken cancellation)
    {
        var (prediction, request) = await AskAsync(asked, cancellation);
        var schedule = request.Require().Schedule;
        return new(
            name,
            schedule.Time.TotalSeconds,
            schedule.Budget.TotalSeconds,
            Invariant($"Verifying on {name} takes about {Rounded(schedule.Time)} s, and at most ")
                + Invariant(
                    $"{Rounded(schedule.Budget)} s: {schedule.Runs} runs with {asked.Scenario.Clients} clients."
                ),
            Repeat.CommandLine([.. CommandText.Predict(asked), "--out", prediction], asked.Seed),
            Repeat.CommandLine(VerifyArguments(asked, prediction), asked.Seed)
        );
    }

    /// <inheritdoc/>
    public Task<VerificationDone> VerifyAsync(
        VerificationAsked asked,
        Action<LiveProgress> progress,
        CancellationToken orderly,
        CancellationToken atOnce
    ) =>
        LiveAsync(
            async () =>
            {
                var (prediction, request) = await AskAsync(asked, orderly);
                request.Require();
                var page = new PageProgress(time, progress);
                await using var running = await choose(asked.Seed).StartAsync(orderly);
                var answer = await VerifyStage.RunAsync(
                    new(page, time, orderly, atOnce),
                    running,
                    request,
                    page.ShowAsync
                );
                var (verdicts, report) = (RunFiles.Fresh(_files.Verdicts), RunFiles.Fresh(_files.Report));
                string[] repeat = [.. VerifyArguments(asked, prediction), "--out", verdicts];
                var written = VerifyText.Write(answer, prediction, verdicts, Repeat.CommandLine(repeat, asked.Seed));
                page.Warn(written.Warnings);
                ReportStage
                    .Output(
                        new()
                        {
                            Prediction = request.Prediction,
                            Verdicts = written,
                            Earlier = EarlierVerdicts.Before(verdicts, written),
                        },
                        time.GetUtcNow()
                    )
                    .Write(report, ReportFormat.Html);
                return new VerificationDone(
                    ExitCode.Of(answer.Conclude()),
                    written.Interrupted,
                    written.Verdicts,
                    written.Warnings,
                    verdicts,
                    report,
                    written.Repeat
                );
            },
            "The verification was stopped before its first run.",
            orderly
        );

    /// <inheritdoc/>
    public Task<string> ExploreAsync(
        VerificationAsked asked,
        Action<LiveProgress> progress,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        const string stopped = "The exploration was stopped; its log is partial, so no model is learned.";
        return LiveAsync(
            async () =>
            {
                var choice = choose(asked.Seed);
                var request = new ExploreRequest(
                    choice.Live(ProtocolVersion.V311),
                    [asked.Scenario.Population],
                    RunPlan.Full.Exploration,
                    asked.Scenario.Clients,
                    Coarse: false,
                    RunFiles.Fresh(_files.Log)
                );
                request.Require();
                var page = new PageProgress(time, progress);
                await using var running = await choice.StartAsync(orderly);
                var explored = await ExploreStage.RunAsync(new(page, time, orderly, atOnce), running, request);
                page.Warn(RunWarnings.Of(explored.Runs));
                if (explored.Interrupted)
                    throw new InputException(stopped);
                var model = RunFiles.Fresh(_files.Model);
                page.Report(double.NaN, "learning a model");
                LearnStage.Run(page, new([request.Log], LearnerCatalogue.Default, asked.Seed, model));
                return model;
            },
            stopped,
            orderly
        );
    }

    private async Task<(string File, VerifyRequest Request)> AskAsync(
        VerificationAsked asked,
        CancellationToken cancellation
    )
    {
        // The same question has the same file, so a plan and its verification share it.
        var command = CommandText.Predict(asked);
        var hash = JobDescription.HashOf(
            System.Text.Encoding.UTF8.GetBytes(string.Join('\n', command.Append(asked.Scenario.Model.Sha256)))
        );
        var file = Path.Combine(output, "predictions", $"{asked.Scenario.Population.Name}-{FileHash.Short(hash)}.json");
        if (!File.Exists(file))
            PredictionFile.Write(file, await Task.Run(() => Predict(asked, cancellation), cancellation));
        var files = RunFiles.Named(output, name, time.GetUtcNow());
        return (
            file,
            new(
                choose(asked.Seed).Live(ProtocolVersion.V311),
                PredictionFile.Read(file),
                AskedTest.Of(RunPlan.Full),
                files.VerificationLog,
                files.MonteCarloLog
            )
        );
    }

    private static Prediction Predict(VerificationAsked asked, CancellationToken cancellation) =>
        PredictStage.Predict(
            asked.Scenario.Model.Learned,
            new(
                asked.Files.Model,
                [new(asked.Scenario.Population, [asked.Scenario.Clients])],
                [asked.Threshold.Milliseconds],
                new()
                {
                    Seed = SeedPurpose.Predict.Seed(asked.Seed),
                    Replications = asked.Replications,
                    Beyond = asked.Beyond,
                }
            ),
            (_, _) => { },
            cancellation
        );

    // A page is told what went wrong; there is no exit code to look up.
    private static async Task<T> LiveAsync<T>(Func<Task<T>> work, string stopped, CancellationToken orderly)
    {
        try
        {
            return await work();
        }
        catch (OperationCanceledException) when (orderly.IsCancellationRequested)
        {
            throw new InputException(stopped);
        }
        catch (Exception failure) when (failure is BrokerException or WireException or IOException)
        {
            throw new InputException(failure.Message, failure);
        }
    }

    private string[] VerifyArguments(VerificationAsked asked, string prediction) =>
        ["verify", prediction, .. brokerArguments, "--seed", Invariant($"{asked.Seed}")];

    private static string Rounded(TimeSpan duration) => Invariant($"{Math.Ceiling(duration.TotalSeconds):0}");
}
