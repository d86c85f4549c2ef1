using MqttCheck.Brokers.Processes;
using static System.FormattableString;

namespace MqttCheck.Testing.Reporting;

/// <summary>The words of a failing test: what was seen, how sure, how many samples, how to reproduce.</summary>
internal static class FailureMessage
{
    private static readonly (string Name, double Share)[] s_quantiles =
    [
        ("median", .5),
        ("90 %", .9),
        ("99 %", .99),
        ("largest", 1),
    ];

    /// <summary>The observation, in one line.</summary>
    public static string Actual(MeasuredVerdict verdict) =>
        verdict.Count == 0
            ? verdict.Property is { Traces: > 0 }
                ? "a property that says nothing about any trace"
                : "no run that counts"
            : Invariant($"a probability of {verdict.Observed:0.000} (95 % interval ")
                + Invariant($"{verdict.Interval.Lower:0.000} to {verdict.Interval.Upper:0.000})")
                + JudgedOn(verdict);

    /// <summary>Whose traces a property was judged on, to follow a verdict; empty where that is all of them.</summary>
    public static string JudgedOn(MeasuredVerdict verdict) =>
        verdict.Property?.JudgedOn is { } judged ? ", " + judged : "";

    /// <summary>The lines below.</summary>
    public static IReadOnlyList<string> Details(Measurement measurement, MeasuredVerdict verdict, string? report)
    {
        var lines = new List<string> { $"Seen:     {verdict.Seen}; {measurement}" };
        var latencies = Sorted(verdict);
        if (latencies.Length > 0)
        {
            var quantiles = Quantiles(latencies).Select(quantile => $"{quantile.Name} {quantile.Value}");
            var whose = verdict.PerMessage ? "" : measurement.Words.Slowest + ": ";
            lines.Add($"Latency:  {whose}{string.Join(", ", quantiles)}");
        }
        lines.Add(Invariant($"Sure:     {verdict.Reason}"));
        lines.Add($"          {verdict.Promise}");
        if (verdict.NotExcluded is { } open)
            lines.Add("          " + open);
        if (verdict.Remark is { } remark)
            lines.Add("Invalid:  " + remark);
        if (measurement.Failures is { } failures)
            lines.Add("Failed:   " + failures);
        if (measurement.Environment is { } environment)
            lines.Add($"Broker:   {environment}");
        lines.Add("Repeat:   " + Repeat(measurement.Host, measurement.Seed));
        if (report is not null)
            lines.Add("Report:   " + report);
        return lines;
    }

    /// <summary>
    /// All measured latencies of the samples, ascending, in milliseconds; none where a property was tested, which may
    /// ask for anything.
    /// </summary>
    public static double[] Sorted(MeasuredVerdict verdict) =>
        verdict.Property is not null
            ? []
            :
            [
                .. verdict
                    .Tally.CountedRuns.SelectMany(run => run.Samples(verdict.Latency, verdict.PerMessage, verdict.Step))
                    .Order(),
            ];

    /// <summary>A few quantiles in words.</summary>
    public static IEnumerable<(string Name, string Value)> Quantiles(double[] sorted) =>
        s_quantiles.Select(quantile =>
            (quantile.Name, Milliseconds(sorted[(int)Math.Max(0, Math.Ceiling(quantile.Share * sorted.Length) - 1)]))
        );

    /// <summary>The broker with what moves its latencies.</summary>
    public static string DescribeBroker(IBrokerUnderTest broker)
    {
        var description = broker.Description;
        var details = description
            .Details.OrderBy(detail => detail.Key, StringComparer.Ordinal)
            .Select(detail => $", {detail.Key} {detail.Value}");
        return $"{description.Name} {description.Version} "
            + $"(settings {description.Settings}{string.Concat(details)}) at {broker.Address}";
    }

    /// <summary>The command that repeats the test.</summary>
    public static string Repeat(TestHost host, ulong seed)
    {
        var command =
            $"dotnet test {(host.Filter is { } filter ? $"--filter {filter} " : "")}"
            + Invariant($"--environment {MeasureOptions.SeedVariable}={seed}");
        string[] variables =
        [
            .. host.Variables,
            TestBrokerOptions.DelayVariable,
            TestBrokerOptions.FaultsVariable,
            TestBrokerOptions.UserVariable,
        ];
        foreach (var variable in variables.Distinct())
            if (Environment.GetEnvironmentVariable(variable) is { Length: > 0 } value)
                command += $" --environment \"{variable}={value.Replace("\"", "\\\"", StringComparison.Ordinal)}\"";
        // A password belongs into no log.
        return Environment.GetEnvironmentVariable(TestBrokerOptions.PasswordVariable) is { Length: > 0 }
            ? $"{command} (with {TestBrokerOptions.PasswordVariable} set as it was)"
            : command;
    }

    private static string Milliseconds(double value) =>
        double.IsFinite(value) ? Invariant($"{value:0.0##} ms") : "failed";
}
