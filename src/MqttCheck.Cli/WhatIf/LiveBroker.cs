using System.CommandLine;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Cli.Explore;
using MqttCheck.Cli.Learn;
using MqttCheck.Cli.Predict;
using MqttCheck.Cli.Report;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Verify;
using MqttCheck.Reports.Input;
using MqttCheck.Server.Live;
using MqttCheck.Shards;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.Cli.WhatIf;

/// <summary>
/// Work on the live broker as the tool's own commands do it: 'predict', 'verify', 'explore', 'learn' and 'report'. So
/// the page's verdict is that of the command, and the command that repeats it is the one that ran.
/// </summary>
/// <param name="name">The broker as the user named it.</param>
/// <param name="brokerArguments">The options of the broker, as the user gave them.</param>
/// <param name="output">The output directory.</param>
/// <param name="time">The clock.</param>
/// <param name="interruption">Ctrl-C, which ends everything.</param>
internal sealed class LiveBroker(
    string name,
    IReadOnlyList<string> brokerArguments,
    string output,
    TimeProvider time,
    Interruption interruption
) : ILiveBroker
{
    private readonly RunFiles _files = new(output, "what-if");

    /// <inheritdoc/>
    public string Name => name;

    /// <inheritdoc/>
    public async Task<VerificationPlanned> PlanAsync(VerificationAsked asked, CancellationToken cancellation)
    {
        var prediction = await PredictAsync(asked, cancellation);
        var verify = VerifyArguments(asked, prediction);
        var schedule = VerifyCommand.Plan(Screen.OfProcess(), interruption, verify);
        return new(
            name,
            schedule.Time.TotalSeconds,
            schedule.Budget.TotalSeconds,
            Invariant($"Verifying on {name} takes about {Rounded(schedule.Time)} s, and at most ")
                + Invariant(
                    $"{Rounded(schedule.Budget)} s: {schedule.Runs} runs with {asked.Scenario.Clients} clients."
                ),
            Repeat.CommandLine([.. CommandText.Predict(asked), "--out", prediction], asked.Seed),
            Repeat.CommandLine(verify, asked.Seed)
        );
    }

    /// <inheritdoc/>
    public async Task<VerificationDone> VerifyAsync(
        VerificationAsked asked,
        Action<LiveProgress> progress,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        var prediction = await PredictAsync(asked, orderly);
        var verdicts = OutputPath.Fresh(_files.Verdicts);
        string[] arguments = [.. VerifyArguments(asked, prediction), "--out", verdicts];
        var watch = new VerificationWatch(new Watcher(progress), output);
        var code = await new CapturedCommand(time, line => progress(new(double.NaN, [line], []))).RunAsync(
            (screen, own) => new VerifyCommand(screen, own, arguments, watch).Create(),
            arguments,
            orderly,
            atOnce
        );
        if (!File.Exists(verdicts))
            throw new InputException("The verification was stopped before its first run.");
        var document = VerdictFile.Read(verdicts);
        var report = OutputPath.Fresh(_files.Report);
        await QuietAsync(
            (screen, _) => new ReportCommand(screen).Create(),
            ["report", "--prediction", prediction, "--verdicts", verdicts, "--out", report],
            CancellationToken.None
        );
        return new(code, document.Interrupted, document.Verdicts, document.Warnings, verdicts, report, document.Repeat);
    }

    /// <inheritdoc/>
    public async Task<string> ExploreAsync(
        VerificationAsked asked,
        Action<LiveProgress> progress,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        var log = OutputPath.Fresh(_files.Log);
        var model = OutputPath.Fresh(_files.Model);
        var shown = new CapturedCommand(time, line => progress(new(double.NaN, [line], [])));
        string[] explore = [.. CommandText.Explore(asked, null), .. brokerArguments, "--out", log];
        var code = await shown.RunAsync(
            (screen, own) => new ExploreCommand(screen, own).Create(),
            explore,
            orderly,
            atOnce
        );
        if (code == ExitCode.Interrupted)
            throw new InputException("The exploration was stopped; its log is partial, so no model is learned.");
        string[] learn = ["learn", log, "--out", model, "--seed", Invariant($"{asked.Seed}")];
        await shown.RunAsync((screen, _) => LearnCommand.Create(screen), learn, orderly, atOnce);
        return model;
    }

    // The same question has the same file, so a plan and its verification share it.
    private async Task<string> PredictAsync(VerificationAsked asked, CancellationToken cancellation)
    {
        var command = CommandText.Predict(asked);
        var hash = JobDescription.HashOf(
            System.Text.Encoding.UTF8.GetBytes(string.Join('\n', command.Append(asked.Scenario.Model.Sha256)))
        );
        var name = $"{asked.Scenario.Population.Name}-{FileHash.Short(hash)}.json";
        var file = Path.Combine(output, "predictions", name);
        if (!File.Exists(file))
            await QuietAsync(
                (screen, own) => new PredictCommand(screen, own).Create(),
                [.. command, "--out", file],
                cancellation
            );
        return file;
    }

    private async Task QuietAsync(
        Func<Screen, Interruption, Command> create,
        IReadOnlyList<string> arguments,
        CancellationToken cancellation
    )
    {
        var code = await new CapturedCommand(time, _ => { }).RunAsync(create, arguments, cancellation, default);
        if (code == ExitCode.Interrupted)
            throw new OperationCanceledException(cancellation);
    }

    private string[] VerifyArguments(VerificationAsked asked, string prediction) =>
        ["verify", prediction, .. brokerArguments, "--seed", Invariant($"{asked.Seed}")];

    private static string Rounded(TimeSpan duration) => Invariant($"{Math.Ceiling(duration.TotalSeconds):0}");

    private sealed class Watcher(Action<LiveProgress> progress) : IProgress<VerificationProgress>
    {
        public void Report(VerificationProgress value)
        {
            if (value.Moved.Count > 0)
                progress(new(value.Share, [], [.. value.Verdicts.Select(Describe)]));
        }

        private static VerdictReport Describe(Verdict verdict) =>
            ReportStage.Describe(new TimedVerdict(verdict, TimeSpan.Zero), double.NaN);
    }
}
