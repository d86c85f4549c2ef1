using System.Globalization;

namespace MqttCheck.Telemetry.Tests;

/// <summary>A span.</summary>
internal sealed record ReceivedSpan(
    string Name,
    string Trace,
    string Id,
    string Parent,
    TimeSpan Duration,
    IReadOnlyDictionary<string, string> Attributes,
    IReadOnlyDictionary<string, string> Resource
)
{
    /// <summary>Reads the spans of a request.</summary>
    public static IEnumerable<ReceivedSpan> Parse(byte[] request) =>
        ProtobufMessage
            .Parse(request)
            .All(1)
            .SelectMany(resource =>
                resource
                    .All(2, 2)
                    .Select(span => new ReceivedSpan(
                        span.Text(5),
                        span.Hex(1),
                        span.Hex(2),
                        span.Hex(4),
                        TimeSpan.FromTicks((span.Integer(8) - span.Integer(7)) / TimeSpan.NanosecondsPerTick),
                        AttributesOf(span, 9),
                        AttributesOf(resource.All(1).Single(), 1)
                    ))
            );

    /// <summary>The attributes in a field of a message, their values as text.</summary>
    public static IReadOnlyDictionary<string, string> AttributesOf(ProtobufMessage message, int field) =>
        message.All(field).ToDictionary(one => one.Text(1), one => ValueOf(one.All(2).Single()));

    private static string ValueOf(ProtobufMessage value) =>
        value.Has(1) ? value.Text(1)
        : value.Has(4) ? value.Number(4).ToString(CultureInfo.InvariantCulture)
        : value.Has(2) ? (value.Integer(2) != 0).ToString()
        : value.Integer(3).ToString(CultureInfo.InvariantCulture);
}
