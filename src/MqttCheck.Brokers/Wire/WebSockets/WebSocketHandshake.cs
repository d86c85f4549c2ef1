using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using System.Text;

namespace MqttCheck.Brokers.Wire.WebSockets;

/// <summary>One side of the handshake of RFC 6455, section 4, for the sub-protocol of MQTT.</summary>
internal abstract class WebSocketHandshake
{
    /// <summary>The sub-protocol of MQTT over WebSocket (MQTT 5, 6.0.0-3).</summary>
    public const string SubProtocol = "mqtt";

    /// <summary>Whether this side is the client, which masks what it sends.</summary>
    public abstract bool IsClient { get; }

    /// <summary>The first bytes that this side sends, empty for a server.</summary>
    public abstract byte[] Opening { get; }

    /// <summary>Judges the head of the peer's message.</summary>
    /// <param name="head">The head, null when it is malformed.</param>
    /// <param name="answer">The answer to send, empty for none.</param>
    /// <returns>Null when both sides agree; otherwise why not.</returns>
    public abstract string? Judge(HttpHead? head, out byte[] answer);

    /// <summary>Computes a server's accept value from a client's key (RFC 6455, section 4.2.2).</summary>
    /// <param name="key">The key.</param>
    [SuppressMessage(
        "Security",
        "CA5350:Do Not Use Weak Cryptographic Algorithms",
        Justification = "The protocol prescribes it; nothing is kept secret by it."
    )]
    protected static string Accept(string key) =>
        Convert.ToBase64String(SHA1.HashData(Encoding.ASCII.GetBytes(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")));
}
