using MqttCheck.Clients;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Generation;

/// <summary>The progress of a client in a scenario: its state by the functional model, and its last CONNECT.</summary>
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
