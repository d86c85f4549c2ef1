using MqttCheck.App.Runs;
using MqttCheck.App.VerifyProperty;
using MqttCheck.Brokers.Campaigns.LiveProperties;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Properties.Traces;
using MqttCheck.Sequential;
using static System.FormattableString;

namespace MqttCheck.Cli.VerifyProperty;

/// <summary>The verdict on a property, in words and as the contents of its file.</summary>
internal static class PropertyVerifyText
{
    /// <summary>Prints a verdict.</summary>
    public static void Print(Screen screen, PropertyVerdict verdict, string path)
    {
        screen.Warn(verdict.Warnings);
        var judged = new JudgedTraces(verdict.Groups).InWords is { } some ? ", " + some : "";
        screen.Line(
            Invariant(
                $"{verdict.Verdict.ToString().ToLowerInvariant()}{judged}: {verdict.Property}  {verdict.Profile}, "
            ) + Invariant($"{Counted.Of(verdict.Clients, "client")}: {verdict.Reason}")
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
        screen.NotePartial(verdict.Interrupted);
    }

    /// <summary>The contents of the verdict file.</summary>
    /// <param name="made">What the runs showed.</param>
    /// <param name="repeat">The command that repeats it.</param>
    public static PropertyVerdict Of(
        PropertyVerifyRequest request,
        BrokerDescription broker,
        PropertyVerificationResult made,
        string repeat
    )
    {
        var result = made.Result;
        return new()
        {
            ToolVersion = Tool.Version,
            Broker = ReportStage.Describe(broker, request.Live.Client),
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
            Groups = result.Judged.Groups,
            Runs = [.. result.Runs.Select(run => run.Count)],
            Seconds = made.Spent.TotalSeconds,
            Log = request.Log,
            Seed = request.Live.Seed,
            Repeat = repeat,
            Interrupted = made.Interrupted,
            Warnings = [.. RunWarnings.Of(made.Runs)],
        };
    }
}
