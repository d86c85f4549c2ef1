using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Model;

/// <summary>One connection of a client.</summary>
internal sealed class ObservedConnection(int number)
{
    public int Number { get; } = number;

    public ConnectPacket? Connect { get; set; }

    /// <summary>The entry of CONNECT.</summary>
    public int ConnectAt { get; set; }

    /// <summary>The entry of CONNACK.</summary>
    public int AcceptedAt { get; set; }

    /// <summary>The connection of the same client that it takes over.</summary>
    public ObservedConnection? Displaces { get; set; }

    /// <summary>The connection of the same client that was opened before it.</summary>
    public ObservedConnection? Previous { get; init; }

    public ConnackPacket? Connack { get; set; }

    /// <summary>
    /// Something was asked for that CONNACK says is not offered, or sent that is beyond its limits: the broker may end
    /// the connection.
    /// </summary>
    public bool AskedUnavailable { get; set; }

    public bool IsAccepted { get; set; }

    public bool IsRefused { get; set; }

    /// <summary>The broker has sent DISCONNECT with a reason that lies in how it is set up.</summary>
    public bool EndedBySetUp { get; set; }

    /// <summary>Nobody waits any more for its end.</summary>
    public bool IsLeft { get; set; }

    /// <summary>The session expiry interval in force, in seconds (3.1.1: 0 or without end).</summary>
    public uint ExpirySeconds { get; set; }

    /// <summary>
    /// Whether DISCONNECT changed it. Nothing can be sent behind DISCONNECT to see that it was handled.
    /// </summary>
    public bool HasChangedExpiry { get; set; }

    public Publication? Will { get; set; }

    /// <summary>Over WebSocket.</summary>
    public bool IsWebSocket { get; init; }

    /// <summary>The broker may refuse it: a wrong password was sent, or an identifier that it need not take.</summary>
    public bool MayBeRefused { get; set; }

    /// <summary>It was opened without a client identifier.</summary>
    public bool IsAnonymous { get; set; }

    /// <summary>When something was sent on it last.</summary>
    public long LastSentNanoseconds { get; set; }

    /// <summary>When it ended, as its client saw it.</summary>
    public long ClosedNanoseconds { get; set; }

    /// <summary>The broker ended it, some time before its client saw it.</summary>
    public bool IsClosedByBroker { get; set; }

    /// <summary>The keep alive interval in force, in seconds; 0: none.</summary>
    public int KeepAliveSeconds => Connack?.Properties.ServerKeepAliveSeconds ?? Connect?.KeepAliveSeconds ?? 0;

    /// <summary>
    /// At some time nothing was sent for as long as the keep alive, so that the broker may have ended it.
    /// </summary>
    public bool WasSilent { get; set; }

    /// <summary>Whether nothing had been sent for as long as the keep alive, so that the broker may end it.</summary>
    public bool WasQuietAt(long nanoseconds) =>
        KeepAliveSeconds > 0 && nanoseconds - LastSentNanoseconds >= KeepAliveSeconds * 1_000_000_000L;

    /// <summary>A wait has shown that its client was silent for longer than it may be.</summary>
    public bool IsSilent { get; set; }

    /// <summary>The entry of a normal DISCONNECT.</summary>
    public bool Disconnected { get; set; }

    /// <summary>The entry of DISCONNECT.</summary>
    public int DisconnectedAt { get; set; }

    /// <summary>The reason of the DISCONNECT that the broker sent; null while it sent none.</summary>
    public ReasonCode? ToldReason { get; set; }

    /// <summary>A later connection of the same client was opened.</summary>
    public bool IsTakenOver { get; set; }

    /// <summary>Whether a malformed packet was sent on it, also after nobody waits for its end any more.</summary>
    public bool IsMalformed { get; set; }

    /// <summary>The entry at which it was sent last.</summary>
    public int MalformedAt { get; set; }

    /// <summary>The name of the defect of a malformed packet that was sent on it.</summary>
    public string? Defect { get; set; }

    public bool IsClosed { get; set; }

    /// <summary>The last PUBLISH of QoS 0, if nothing sent after it was answered.</summary>
    public SentPacket? OpenQos0 { get; set; }

    /// <summary>The last packet sent.</summary>
    public SentPacket LastSent { get; set; } = new(null, "");

    public Dictionary<ushort, string> AliasesFromServer { get; } = [];

    public Dictionary<ushort, string> AliasesToServer { get; } = [];
}
