using System.Text.Json;
using MqttCheck.Json;
using MqttCheck.Latency.Files;
using MqttCheck.Latency.Models;

namespace MqttCheck.Latency.Nagle;

/// <summary>
/// How a broker that leaves Nagle's algorithm on (RFC 896) keeps deliveries back. A receiver may withhold an
/// acknowledgement (RFC 1122, 4.2.3.2). A delivery to it waits until the receiver sends something, or until its
/// system's timer runs out. So the wait depends on the next packets of receivers and not on the load. No law of the
/// features at the start of a publication can predict it, but the simulator can.
/// </summary>
public sealed class NagleDeliveries
{
    internal NagleDeliveries(double share, QuantileTable timerMilliseconds) =>
        (Share, TimerMilliseconds) = (share, timerMilliseconds);

    /// <summary>
    /// The share of publications that wait if a receiver withholds an acknowledgement, 0 .. 1. It is below 1 because
    /// withholding is only inferred. A publication for which the broker would have taken as long anyway is not counted.
    /// </summary>
    public double Share { get; }

    /// <summary>How long after receiving something a system acknowledges it at the latest.</summary>
    internal QuantileTable TimerMilliseconds { get; }

    internal void Write(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteNumber("share", Share);
        writer.WritePropertyName("timer");
        BinnedQuantilesJson.WriteTable(writer, TimerMilliseconds);
        writer.WriteEndObject();
    }

    internal static NagleDeliveries? Read(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        var share = reader.Number("share", 0, 1);
        var timer = reader.Required("timer", "an object with exchanges and milliseconds") is { } table
            ? BinnedQuantilesJson.ReadTable(table, findings)
            : null;
        reader.End();
        return timer is null ? null : new(share, timer);
    }
}
