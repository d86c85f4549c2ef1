using System.Globalization;
using System.Text;
using MqttCheck.Signals;
using MqttCheck.Text;

namespace MqttCheck.Cli.Results;

/// <summary>
/// Numbers of a result in the text format of Prometheus, which its node exporter reads from a file and most collectors
/// understand.
/// </summary>
internal sealed class MetricsFile
{
    private readonly OrderedDictionary<string, (string Help, List<MetricSample> Samples)> _metrics = [];

    /// <summary>The labels that say at which point a number was measured.</summary>
    public static IReadOnlyList<(string Name, string Value)> PointLabels(
        string profile,
        int clients,
        double thresholdMilliseconds
    ) =>
        [
            ("profile", profile),
            ("clients", clients.ToString(CultureInfo.InvariantCulture)),
            ("threshold_seconds", (thresholdMilliseconds / 1000).ToString("0.######", CultureInfo.InvariantCulture)),
        ];

    /// <summary>Adds a number; one that is not known is left out.</summary>
    /// <param name="name">The name of the metric, with its unit, without the prefix of the tool.</param>
    /// <param name="help">The meaning of the metric, in one line.</param>
    /// <param name="labels">The labels that tell the number from others of the metric.</param>
    public void Add(string name, string help, double? value, params (string Name, string Value)[] labels)
    {
        if (value is not { } known || double.IsNaN(known))
            return;
        var full = "mqttcheck_" + name;
        _metrics.TryAdd(full, (help, []));
        _metrics[full].Samples.Add(new(full, known, labels));
    }

    /// <summary>The file as text: every metric with its meaning, and no two samples of the same labels.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        foreach (var (name, (help, samples)) in _metrics)
        {
            text.Append(CultureInfo.InvariantCulture, $"# HELP {name} {help}\n# TYPE {name} gauge\n");
            foreach (var sample in samples.Select(Line).Distinct())
                text.Append(sample).Append('\n');
        }
        return text.ToString();
    }

    /// <summary>
    /// Tells listeners of the numbers, and writes the file in one step, so that a collector never reads half of it.
    /// </summary>
    /// <param name="path">The file; null writes none.</param>
    public void Publish(string? path)
    {
        foreach (var (name, (help, samples)) in _metrics)
        foreach (var sample in samples)
            Instruments.Record(name, help, sample.Value, sample.Labels);
        if (path is not null)
            AtomicFile.Write(path, ToString());
    }

    private static string Line(MetricSample sample)
    {
        var words = sample.Labels.Select(label => $"{label.Name}=\"{Escaped(label.Value)}\"");
        return $"{sample.Name}{{{string.Join(',', words)}}} {Number(sample.Value)}";
    }

    private static string Number(double value) =>
        double.IsPositiveInfinity(value) ? "+Inf"
        : double.IsNegativeInfinity(value) ? "-Inf"
        : value.ToString("R", CultureInfo.InvariantCulture);

    private static string Escaped(string text) =>
        text.Replace("\\", "\\\\", StringComparison.Ordinal)
            .Replace("\"", "\\\"", StringComparison.Ordinal)
            .Replace("\n", "\\n", StringComparison.Ordinal);

    private sealed record MetricSample(string Name, double Value, (string Name, string Value)[] Labels);
}
