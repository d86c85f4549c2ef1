using MqttCheck.Clients;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Generation;

/// <summary>Where a client of a scenario stands: its state by the functional model, and what it came with.</summary>
internal sealed record ClientProgress
{
    /// <summary>Its state by the functional model.</summary>
    public ClientState State { get; init; }

    /// <summary>The filters it has subscribed, a bit set by their place in the theme.</summary>
    public ulong Subscribed { get; init; }

    /// <summary>Its last CONNECT; null before the first.</summary>
    public ConnectCommand? Connect { get; init; }

    /// <summary>Whether it has opened a connection.</summary>
    public bool HasBegun { get; init; }

    /// <summary>How many lines there were when its last connection ended.</summary>
    public int LeftAt { get; init; }

    /// <summary>Whether it broke a rule on its last connection, which the broker may not have ended yet.</summary>
    public bool HasMisbehaved { get; init; }

    /// <summary>Whether it came without identifier: it cannot come back to what it was.</summary>
    public bool IsAnonymous => Connect is { WithoutIdentifier: true };
}
