using MqttCheck.LiveClusters.Links;

namespace MqttCheck.Captures.Taps;

/// <summary>An event at a tap, on its way to the book.</summary>
/// <param name="Connection">The connection.</param>
/// <param name="Kind">What happened.</param>
/// <param name="Side">The side that it happened at: 0 for the client, 1 for the broker.</param>
/// <param name="Buffer">The bytes that passed, in a buffer of the pool; null without any.</param>
/// <param name="Length">How many.</param>
/// <param name="Nanoseconds">When, on the clock of the wire.</param>
internal readonly record struct TapEvent(
    RelayedConnection Connection,
    TapEventKind Kind,
    int Side,
    byte[]? Buffer,
    int Length,
    long Nanoseconds
);
