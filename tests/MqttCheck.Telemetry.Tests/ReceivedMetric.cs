namespace MqttCheck.Telemetry.Tests;

/// <summary>A metric with its last points.</summary>
internal sealed record ReceivedMetric(string Name, string Unit, string Kind, IReadOnlyList<ReceivedPoint> Points)
{
    private const int Gauge = 5,
        Sum = 7,
        Histogram = 9;

    /// <summary>The names that Prometheus makes of it when a collector hands it on.</summary>
    public IEnumerable<string> PrometheusNames
    {
        get
        {
            var name = Name.Replace('.', '_');
            name += Unit switch
            {
                "s" => "_seconds",
                "1" when Kind == "gauge" => "_ratio",
                _ when Unit.EndsWith("/s", StringComparison.Ordinal) => "_per_second",
                _ => "",
            };
            return Kind switch
            {
                "sum" => [name + "_total"],
                "histogram" => [name + "_bucket", name + "_sum", name + "_count"],
                _ => [name],
            };
        }
    }

    /// <summary>Reads the metrics of a request.</summary>
    public static IEnumerable<ReceivedMetric> Parse(byte[] request) =>
        ProtobufMessage.Parse(request).All(1, 2, 2).Select(Of);

    private static ReceivedMetric Of(ProtobufMessage metric)
    {
        var kind =
            metric.Has(Gauge) ? Gauge
            : metric.Has(Sum) ? Sum
            : Histogram;
        var points = metric
            .All(kind, 1)
            .Select(point =>
                kind == Histogram
                    ? new ReceivedPoint(0, point.Integer(4), point.Number(5), ReceivedSpan.AttributesOf(point, 9))
                    : new(point.Has(4) ? point.Number(4) : point.Integer(6), 1, 0, ReceivedSpan.AttributesOf(point, 7))
            );
        var word =
            kind == Gauge ? "gauge"
            : kind == Sum ? "sum"
            : "histogram";
        return new(metric.Text(1), metric.Text(3), word, [.. points]);
    }
}
