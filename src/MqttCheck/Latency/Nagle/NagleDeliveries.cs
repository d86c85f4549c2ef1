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

    /// <summary>The deliveries in a model file.</summary>
    internal static JsonKind<NagleDeliveries> Format { get; } =
        JsonFormat.Of<NagleDeliveries>(fields =>
            new(
                fields.Required("share", JsonKinds.Number(0, 1), of => of.Share),
                fields.Required(
                    "timer",
                    CellKinds.Table.Named("an object with exchanges and milliseconds"),
                    of => of.TimerMilliseconds
                )
            )
        );
}
