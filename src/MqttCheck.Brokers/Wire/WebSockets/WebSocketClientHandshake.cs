using System.Net;
using System.Security.Cryptography;
using System.Text;

namespace MqttCheck.Brokers.Wire.WebSockets;

/// <summary>The client's side of the handshake.</summary>
/// <param name="options">How.</param>
/// <param name="address">The address of the server.</param>
internal sealed class WebSocketClientHandshake(WebSocketClientOptions options, IPEndPoint address) : WebSocketHandshake
{
    private readonly string _key = Convert.ToBase64String(RandomNumberGenerator.GetBytes(16));

    /// <inheritdoc/>
    public override bool IsClient => true;

    /// <inheritdoc/>
    public override byte[] Opening =>
        Encoding.ASCII.GetBytes(
            $"GET {options.Path} HTTP/1.1\r\nHost: "
                + $"{options.Host ?? address.ToString()}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + $"Sec-WebSocket-Key: {_key}\r\nSec-WebSocket-Version: "
                + $"13\r\nSec-WebSocket-Protocol: {SubProtocol}\r\n\r\n"
        );

    /// <inheritdoc/>
    public override string? Judge(HttpHead? head, out byte[] answer)
    {
        answer = [];
        if (head is null)
            return "the answer is not HTTP";
        if (head.FirstLine.Split(' ') is not ["HTTP/1.1", "101", ..])
        {
            // The query may hold a secret.
            return $"the request for '{options.Path.Split('?')[0]}' was answered with '{Shortened(head.FirstLine)}'";
        }
        if (!head.Lists("Upgrade", "websocket") || !head.Lists("Connection", "Upgrade"))
            return "the answer does not change to WebSocket";
        if (head["Sec-WebSocket-Accept"] != Accept(_key))
            return "the answer does not fit the key of the request";
        return head["Sec-WebSocket-Protocol"] == SubProtocol
            ? null
            : $"the server does not speak the sub-protocol '{SubProtocol}'";
    }

    private static string Shortened(string text) => text.Length <= 80 ? text : text[..80] + "...";
}
