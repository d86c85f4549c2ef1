using MqttCheck.Brokers.Wire;

namespace MqttCheck.Captures.Taps;

/// <summary>The places that a tap stands between, and the log that it writes.</summary>
/// <param name="Listener">Where clients connect.</param>
/// <param name="Target">The broker.</param>
/// <param name="Log">The path of the log, that of a new file.</param>
/// <param name="ToolVersion">The version that is noted in it.</param>
internal sealed record TapSetup(WireListener Listener, WireEndpoint Target, string Log, string ToolVersion)
{
    /// <summary>Whether the names of clients and topics are written as they are.</summary>
    public bool KeepsNames { get; init; }

    /// <summary>The clock that the log has its date from.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Takes a line for a person, such as that the broker does not answer.</summary>
    public Action<string> Note { get; init; } = _ => { };
}
