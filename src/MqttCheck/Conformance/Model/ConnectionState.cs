using MqttCheck.Protocol;

namespace MqttCheck.Conformance;

/// <summary>One connection of a client.</summary>
internal sealed class ConnectionState(int number)
{
    public int Number => number;

    public ConnectPacket? Connect { get; set; }

    /// <summary>The entry of CONNECT.</summary>
    public int ConnectAt { get; set; }

    /// <summary>The entry of CONNACK.</summary>
    public int AcceptedAt { get; set; }

    /// <summary>The connection of the same client that it takes over.</summary>
    public ConnectionState? Displaces { get; set; }

    public ConnackPacket? Connack { get; set; }

    /// <summary>Something was asked for that CONNACK says is not offered.</summary>
    public bool AskedUnavailable { get; set; }

    public bool IsAccepted { get; set; }

    public bool IsRefused { get; set; }

    /// <summary>The session expiry interval in force, in seconds (3.1.1: 0 or without end).</summary>
    public uint ExpirySeconds { get; set; }

    public Publication? Will { get; set; }

    /// <summary>The entry of a normal DISCONNECT.</summary>
    public bool Disconnected { get; set; }

    /// <summary>A later connection of the same client was opened.</summary>
    public bool IsTakenOver { get; set; }

    /// <summary>The name of the defect of a malformed packet that was sent on it.</summary>
    public string? Defect { get; set; }

    public bool IsClosed { get; set; }

    /// <summary>The last packet sent, in words without names.</summary>
    public string LastSent { get; set; } = "";

    public Dictionary<ushort, string> AliasesFromServer { get; } = [];

    public Dictionary<ushort, string> AliasesToServer { get; } = [];
}
