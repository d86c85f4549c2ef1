using System.Globalization;
using MqttCheck.Logs;
using MqttCheck.Plots;
using MqttCheck.Plots.Data;
using MqttCheck.Reports.Documents;
using MqttCheck.Sequential;
using static System.FormattableString;

namespace MqttCheck.Testing.Reporting;

/// <summary>Writes the report of a requirement and attaches it to the result of the test.</summary>
internal static class TestReport
{
    public static string ToolVersion => typeof(TestReport).Assembly.GetName().Version?.ToString(3) ?? "";

    /// <returns>
    /// The path, or null where no report is written: that must not change the result of a test.
    /// </returns>
    public static string? Write(TestHost host, Measurement measurement, MeasuredVerdict verdict, string requirement)
    {
        var path = Write(host, Document(measurement, verdict, requirement), requirement);
        // The drawing library is loaded for a requirement that is refuted only.
        if (
            path is not null
            && verdict is { IsMet: false, Property: null }
            && double.IsFinite(verdict.ThresholdMilliseconds)
        )
            AttachPicture(host, path, verdict, requirement);
        return path;
    }

    // A picture that cannot be drawn must not change the result of a test.
    private static void AttachPicture(TestHost host, string report, MeasuredVerdict verdict, string requirement)
    {
        try
        {
            var picture = LatencyPictures.Requirement(
                "Violated: " + requirement,
                Invariant($"{verdict.InTime} of {verdict.Count} {verdict.Samples} in time ")
                    + Invariant($"({verdict.Observed:0.000}), in {Counted.Of(verdict.Runs.Count, "run")}. ")
                    + Invariant($"{Capitalised(verdict.Reason)}."),
                verdict.Samples,
                FailureMessage.Sorted(verdict),
                verdict.ThresholdMilliseconds,
                Invariant(
                    $"{(verdict.IsPrediction ? "predicted: " : "required: at least ")}{verdict.Probability:0.####}"
                ),
                verdict.Probability,
                [.. verdict.Runs.Select(run => new RequirementRun(run.Successes, run.Samples))]
            );
            if (picture is null)
                return;
            var path = Path.ChangeExtension(report, ".png");
            File.WriteAllBytes(path, picture.ToPng());
            host.Attach(path, "MqttCheck: latencies of " + requirement);
        }
        catch (Exception exception)
            when (exception
                    is IOException
                        or UnauthorizedAccessException
                        or DllNotFoundException
                        or TypeInitializationException
            )
        {
            host.WriteProgress($"MqttCheck: the picture could not be drawn: {exception.Message}");
        }
    }

    /// <returns>The path, or null where no report is written.</returns>
    public static string? Write(TestHost host, ReportDocument document, string requirement)
    {
        StepSummary.Append(host, document);
        if (host.Directory is not { } directory)
            return null;
        var name = string.Concat(host.Name.Select(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' ? c : '-'));
        try
        {
            // One test may decide on several requirements.
            var number = host.NextReport();
            var path = Path.Combine(
                Directory.CreateDirectory(directory).FullName,
                Invariant($"{Shortened(name)}{(number == 1 ? "" : Invariant($".{number}"))}.html")
            );
            using (var writer = new StreamWriter(path))
                HtmlDocument.Write(writer, document);
            host.Attach(path, "MqttCheck: " + requirement);
            return path;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            host.WriteProgress($"MqttCheck: the report could not be written: {exception.Message}");
            return null;
        }
    }

    internal static ReportDocument Document(Measurement measurement, MeasuredVerdict verdict, string requirement)
    {
        var tone = verdict.IsMet switch
        {
            true => DocumentTone.Good,
            false => DocumentTone.Bad,
            _ => DocumentTone.Warning,
        };
        return new()
        {
            Title = measurement.Words.Question,
            Headline =
                verdict.IsMet switch
                {
                    true => "Met",
                    false => "Violated",
                    _ => "Withheld",
                } + FailureMessage.JudgedOn(verdict),
            Tone = tone,
            Lead =
                Invariant($"Required: {requirement}. Seen: {Seen(verdict)}. ")
                + Invariant($"{Capitalised(verdict.Promise)}.{(verdict.NotExcluded is { } open ? " " + open : "")}"),
            GeneratedUtc = TimeProvider.System.GetUtcNow(),
            ToolVersion = ToolVersion,
            Warnings = [.. Warnings(measurement, verdict)],
            Sections = [Evidence(verdict, tone), .. Latencies(measurement, verdict), Environment(measurement)],
        };
    }

    /// <summary>A machine in one line.</summary>
    public static string Describe(MachineInformation machine) =>
        Invariant($"{machine.Processor}, {machine.Cores} cores, {machine.OperatingSystem}, {machine.Runtime}");

    private static DocumentSection Evidence(MeasuredVerdict verdict, DocumentTone tone) =>
        new(
            "Evidence",
            Capitalised(verdict.Reason) + ".",
            [
                new IntervalChart(
                    verdict.Property is null ? "Probability to be in time" : "Probability to fulfil the property",
                    "One line per run, which is one observation, and all runs together with their 95 % interval. "
                        + "Pale: between the hypotheses.",
                    0,
                    1,
                    [
                        .. verdict.Runs.Select(
                            (run, index) =>
                                new IntervalLine(
                                    Invariant($"run {index + 1}: {run.Successes} of {run.Samples}"),
                                    (double)run.Successes / run.Samples,
                                    null,
                                    DocumentTone.Plain
                                )
                        ),
                        .. verdict.Count == 0
                            ? Array.Empty<IntervalLine>()
                            : [new("all runs", verdict.Observed, verdict.Interval, tone)],
                    ]
                )
                {
                    Marks = [new("required", verdict.Probability)],
                    Band = verdict.Indifferent,
                },
            ]
        );

    private static DocumentSection Environment(Measurement measurement) =>
        new(
            "Environment",
            "The result holds for this broker, these settings and this machine.",
            [
                new DocumentTable(
                    "Environment",
                    ["what", "value"],
                    [
                        .. measurement.Environment is { } environment
                            ? new IReadOnlyList<string>[] { ["broker", environment] }
                            : [],
                        ["setup", measurement.ToString() ?? ""],
                        ["seed", measurement.Seed.ToString(CultureInfo.InvariantCulture)],
                        ["machine", Describe(MachineInformation.Current())],
                    ]
                ),
                new DocumentCommand("To repeat the test", FailureMessage.Repeat(measurement.Host, measurement.Seed)),
            ]
        );

    private static IEnumerable<DocumentSection> Latencies(Measurement measurement, MeasuredVerdict verdict)
    {
        if (verdict.Property is not null)
            yield break;
        var latencies = FailureMessage.Sorted(verdict);
        yield return new(
            "Latencies",
            verdict.PerMessage ? "Of single messages." : Capitalised(measurement.Words.Slowest) + ".",
            [
                new DocumentTable(
                    "Latencies",
                    ["quantile", "latency"],
                    latencies.Length == 0
                        ? []
                        :
                        [
                            .. FailureMessage
                                .Quantiles(latencies)
                                .Select(quantile => (IReadOnlyList<string>)[quantile.Name, quantile.Value]),
                        ]
                ),
            ]
        );
    }

    private static string Seen(MeasuredVerdict verdict) =>
        verdict.Property?.Seen
        ?? Invariant($"{verdict.InTime} of {verdict.Count} {verdict.Samples} in ")
            + Invariant($"time{(verdict.Count == 0 ? "" : Invariant($" ({verdict.Observed:0.000})"))}");

    private static IEnumerable<string> Warnings(Measurement measurement, MeasuredVerdict verdict)
    {
        if (measurement.Failures is { } failures)
            yield return "Failed: " + failures;
        if (verdict.Remark is { } remark)
            yield return "Not counted: " + remark;
        foreach (var warning in verdict.Warnings)
            yield return warning;
    }

    // File systems allow 255 bytes in a name.
    private static string Shortened(string name) => name.Length <= 150 ? name : name[^150..];

    private static string Capitalised(string text) =>
        text.Length == 0 ? text : char.ToUpperInvariant(text[0]) + text[1..].TrimEnd('.');
}
