using System.Diagnostics;
using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Campaigns.LiveProperties;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Properties;
using MqttCheck.Properties.Live;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.VerifyProperty;

/// <summary>The stage from a property and a live broker to a verdict.</summary>
internal static class PropertyVerifyStage
{
    /// <summary>Makes the runs, and writes log and verdict.</summary>
    public static async Task<PropertyVerdict> RunAsync(
        Screen screen,
        Interruption interruption,
        IBrokerUnderTest broker,
        PropertyVerifyRequest request
    )
    {
        screen.Warn(PropertySense.Notes(request.Property.Property, request.Population));
        var plan = LivePropertyPlan.For(request.Property, request.Requirement, request.Population, request.Clients);
        if (request.Budget is { } given)
            plan.RequireTime(request.Requirement, given, "--budget");
        var budget = request.Budget ?? plan.Budget(request.Requirement);
        screen.Note(Describe(request, plan, budget));
        var campaign = request.Live.Campaign(SeedPurpose.Verify);
        using var log = new LoggedRun(request.Log, broker, campaign, screen.Time, coarse: false);
        var test = new LivePropertyTest(request.Property, request.Requirement, plan.Runs);
        var result = await screen.ProgressAsync(
            "Verify",
            report =>
                Task.Run(() =>
                    new PropertyVerification(broker, campaign, screen.Time).Run(
                        test,
                        request.Population,
                        request.Clients,
                        plan.CountedSequences,
                        budget,
                        log.Sink,
                        new CampaignRelay(report),
                        interruption.Orderly,
                        interruption.AtOnce
                    )
                )
        );
        log.Close(result.Cases, result.Runs, complete: !result.Interrupted);
        var verdict = Describe(request, broker, result);
        PropertyVerdictFile.Write(request.Output, verdict);
        return verdict;
    }

    /// <summary>Prints a verdict.</summary>
    public static void Print(Screen screen, PropertyVerdict verdict, string path)
    {
        screen.Warn(verdict.Warnings);
        screen.Line(
            Invariant($"{verdict.Verdict.ToString().ToLowerInvariant()}: {verdict.Property}  {verdict.Profile}, ")
                + Invariant($"{Counted.Of(verdict.Clients, "client")}: {verdict.Reason}")
        );
        screen.Line($"  seen:     {verdict.Seen}");
        screen.Line($"  error:    {verdict.Promise}");
        if (verdict.NotExcluded is { } remains)
            screen.Line($"            {remains}");
        if (verdict.InvalidRuns is { } invalid)
            screen.Line($"  invalid:  {invalid}");
        screen.Line();
        screen.Line($"log:     {verdict.Log}");
        screen.Line($"verdict: {path}");
        screen.Line($"repeat:  {verdict.Repeat}");
        screen.Line(Invariant($"took:    {verdict.Seconds:0.0} s"));
        if (verdict.Interrupted)
            screen.Note("interrupted: the result is partial");
    }

    /// <summary>The conclusion from a verdict.</summary>
    public static Conclusion Conclude(PropertyVerdict verdict) =>
        Conclusions.Of(
            verdict.Verdict switch
            {
                PropertyVerdictKind.Holds => true,
                PropertyVerdictKind.Violated => false,
                PropertyVerdictKind.Withheld => null,
                _ => throw new UnreachableException(),
            },
            verdict.Interrupted
        );

    private static string Describe(PropertyVerifyRequest request, LivePropertyPlan plan, TimeSpan budget) =>
        Invariant($"verifying {request.Property}: runs of {Counted.Of(request.Clients, "client")} with ")
        + Invariant($"{Counted.Of(plan.CountedSequences, "sequence")} each, about ")
        + Invariant($"{plan.RunTime.TotalSeconds:0.#} s a run; ")
        + Invariant($"{plan.Announcement}; at most {budget.TotalSeconds:0} s")
        + (
            request.Requirement.Guarantee == Guarantee.Any
                ? $". {VerdictPromise.Borne(plan.Runs.InvalidRunsBorne(request.Requirement)).TrimEnd('.')}"
                : ""
        );

    private static PropertyVerdict Describe(
        PropertyVerifyRequest request,
        IBrokerUnderTest broker,
        PropertyVerificationResult made
    )
    {
        var result = made.Result;
        return new()
        {
            ToolVersion = Tool.Version,
            Broker = ReportStage.Describe(broker.Description, request.Live.Client),
            Property = request.Property.Property.ToString(),
            Meaning = request.Property.Meaning,
            Profile = request.Population.Name,
            Clients = request.Clients,
            Verdict = result.Holds switch
            {
                true => PropertyVerdictKind.Holds,
                false => PropertyVerdictKind.Violated,
                _ => PropertyVerdictKind.Withheld,
            },
            Reason = result.Reason,
            Probability = request.Property.Probability,
            Indifference = request.Requirement.EffectiveIndifference,
            Error = request.Requirement.Error,
            Seen = result.Seen,
            Promise = result.Promise,
            NotExcluded = result.NotExcluded,
            InvalidRuns = result.InvalidRuns,
            Observed = result.Observed,
            Interval = result.Interval,
            Fulfilling = result.Fulfilling,
            Silent = result.Silent,
            Traces = result.Traces,
            Runs = [.. result.Runs.Select(run => run.Count)],
            Seconds = made.Spent.TotalSeconds,
            Log = request.Log,
            Seed = request.Live.Seed,
            Repeat = request.Repeat,
            Interrupted = made.Interrupted,
            Warnings = [.. RunWarnings.Of(made.Runs)],
        };
    }
}
